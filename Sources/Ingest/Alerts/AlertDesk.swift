internal import Synchronization

/// The book of alerts with its file: what has changed is durable before anybody is told of it.
final class AlertDesk: Sendable {
    private struct State {
        var book: AlertBook
        /// What the file has, or would have on a disk with room.
        var told: [AlertBook.Delivery]
        var isUnwritten = false
    }

    private let state: Mutex<State>
    /// Held while the file is written: a disk that hangs keeps those who write, and nobody who asks.
    private let writing = Mutex(())
    private let file: AlertFile
    private let tells: Bool
    private let log: EventLog

    /// - Parameter tells: whether there is a webhook.
    init(_ file: AlertFile, tells: Bool, log: EventLog) {
        self.file = file
        self.tells = tells
        self.log = log
        var book = AlertBook()
        do throws(AlertFileFault) {
            book = try file.read()
        } catch {
            log(.error, "alerts not kept", ["reason": error.description])
        }
        state = Mutex(State(book: book, told: book.deliveries))
    }

    /// What waits for the webhook and is durable, in the order in which it came up.
    var deliveries: [AlertBook.Delivery] { state.withLock { $0.told } }

    /// How many levels and groups fire.
    var firing: Int { state.withLock { $0.book.alerts.values.count { $0.phase == .firing } } }

    func freshStart(for reading: LevelReading) -> Int64? {
        state.withLock { $0.book.freshStart(for: reading) }
    }

    /// - Parameter levels: the texts of those in force.
    func take(_ readings: [LevelReading], of levels: [String], at now: Int64) {
        for change in change({ $0.take(readings, of: levels, at: now, tells: tells) }) {
            let facts: KeyValuePairs = ["level": change.level, "alert": change.key]
            switch change.state {
            case .firing: log(.warning, "alert firing", facts)
            case .resolved: log(.info, "alert resolved", facts)
            }
        }
    }

    func remove(delivery number: Int64) {
        change { $0.remove(delivery: number) }
    }

    /// Changes the book and writes it. On a disk without room it goes on in memory: a restart may then tell something twice.
    @discardableResult
    private func change<Result: Sendable>(_ body: (inout AlertBook) -> Result) -> Result {
        let (result, isToBeWritten) = state.withLock { state in
            let before = state.book
            let result = body(&state.book)
            return (result, state.book != before || state.isUnwritten)
        }
        guard isToBeWritten else { return result }
        writing.withLock { _ in
            // Somebody may have changed it meanwhile, which is then written, too.
            let book = state.withLock { $0.book }
            var fault: AlertFileFault?
            do throws(AlertFileFault) {
                try file.write(book)
            } catch {
                fault = error
            }
            let isNew = state.withLock { state in
                defer { state.isUnwritten = fault != nil }
                state.told = book.deliveries
                return !state.isUnwritten
            }
            if let fault, isNew { log(.error, "alerts not kept", ["reason": fault.description]) }
        }
        return result
    }
}
