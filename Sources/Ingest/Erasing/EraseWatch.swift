internal import Archive
internal import Platform
internal import PlayStore

/// Looks now and then whether somebody is to be erased, and does it, on a thread of its own.
final class EraseWatch: Sendable {
    /// How often it looks, and how long it waits after a failure, in ms.
    private static let (lookMs, retryMs) = (1_000, 15_000)
    /// Taking plays in comes first.
    private static let niceness: Int32 = 10

    private struct State: Sendable {
        var isStopping = false
    }

    private let keeper: DataKeeper
    private let log: EventLog
    private let state = Monitor(State())
    private let thread = WorkerThread()

    init(_ keeper: DataKeeper, log: EventLog) {
        self.keeper = keeper
        self.log = log
    }

    func start() throws(ThreadError) {
        try thread.start(name: "eraser", niceness: Self.niceness) { [self] in run() }
    }

    func requestStop() {
        state.change { $0.isStopping = true }
    }

    func stop() {
        requestStop()
        thread.join()
    }

    private func run() {
        let folder = EraseFolder(keeper.paths)
        let isStopping: @Sendable () -> Bool = { [state] in state.read { $0.isStopping } }
        while !isStopping() {
            var pause = Self.lookMs
            if folder.hasRequests, !eraseAll(folder, isStopping) { pause = Self.retryMs }
            state.wait(milliseconds: pause) { $0.isStopping }
        }
    }

    /// - Returns: false when something kept it from being done.
    private func eraseAll(_ folder: EraseFolder, _ isStopping: @escaping () -> Bool) -> Bool {
        do {
            for request in try folder.requests() where !isStopping() {
                try DataEraser(keeper).run(request, isOver: isStopping)
                // Who it was stands in no log.
                log(.info, "plays erased", ["request": request.id])
            }
            return true
        } catch EraseError.stopped {
            return true
        } catch {
            if !isStopping() { log(.error, "plays not erased", ["reason": "\(error)"]) }
            return false
        }
    }
}
