internal import Platform
internal import SQLite

/// Makes the columns of hours from their rows, on a thread and a connection of its own beside those that load plays.
final class ColumnMaker: Sendable {
    struct Job: Sendable {
        var hour: Int64
        /// Rows, as far as is known.
        var plays: Int64
    }

    private struct State: Sendable {
        var jobs: [Job] = []
        var result: Result<[HourColumns], any Error>?
        var isWorking = false
        var isEnding = false
        /// Nobody loads plays meanwhile.
        var isHurried = false
    }

    private let path: String
    private let state = Monitor(State())
    private let thread = Monitor<SystemThread?>(nil)
    /// Whether what is under way is to be given up. Apart, so that the thread never holds the maker, which waits for it.
    private let isOver = Flag()

    /// Loading plays comes first.
    private static let niceness: Int32 = 10

    init(path: String) {
        self.path = path
    }

    deinit {
        endSoon()
        thread.read { $0 }?.join()
    }

    /// Nothing is being made, and the last pause is over.
    var isReady: Bool { state.read { !$0.isWorking && $0.jobs.isEmpty && $0.result == nil && !$0.isEnding } }

    var isEnding: Bool { state.read { $0.isEnding } }

    var isHurried: Bool {
        get { state.read { $0.isHurried } }
        set { state.change { $0.isHurried = newValue } }
    }

    /// Begins with hours; those before have been taken.
    func begin(_ jobs: [Job]) {
        isOver.lower()
        state.change { $0.jobs = jobs }
        guard thread.read({ $0 == nil }) else { return }
        do {
            let started = try SystemThread(name: "columns", niceness: Self.niceness) { [state, path, isOver] in
                Self.run(state, path) { isOver.isRaised }
            }
            thread.change { $0 = started }
        } catch {
            state.change { ($0.jobs, $0.result) = ([], .failure(error)) }
        }
    }

    /// What has been made since it was begun; nil while it is under way.
    func take() -> Result<[HourColumns], any Error>? {
        state.change { state in
            defer { state.result = nil }
            return state.result
        }
    }

    /// Waits until there is something to take or to begin with.
    func wait() {
        state.wait(milliseconds: nil) { $0.result != nil || (!$0.isWorking && $0.jobs.isEmpty) || $0.isEnding }
    }

    /// Gives up what is under way.
    func cancel() {
        isOver.raise()
        state.wait(milliseconds: nil) { $0.result != nil || $0.jobs.isEmpty }
        _ = take()
    }

    /// The process ends. Called from any thread.
    func endSoon() {
        isOver.raise()
        state.change { $0.isEnding = true }
    }

    private static func run(_ state: Monitor<State>, _ path: String, _ isOver: @escaping () -> Bool) {
        var reader: Reader?
        while true {
            state.wait(milliseconds: nil) { !$0.jobs.isEmpty || $0.isEnding }
            let jobs = state.change { state in
                state.isWorking = true
                return state.isEnding ? [] : state.jobs
            }
            if jobs.isEmpty { return }
            let start = SystemClock.monotonic
            let result = Result {
                let current = try reader ?? Reader(path, isOver)
                reader = current
                return try current.make(jobs)
            }
            state.change { ($0.jobs, $0.result) = ([], result) }
            // Half of a processor at most, while plays are loaded.
            let pause = Int(truncatingIfNeeded: (SystemClock.monotonic &- start) / 1_000_000)
            state.wait(milliseconds: pause) { $0.isEnding || $0.isHurried }
            state.change { $0.isWorking = false }
        }
    }

    /// A connection that reads rows.
    private final class Reader {
        private let connection: SQLiteConnection
        private let rows: HourRows

        init(_ path: String, _ isOver: @escaping () -> Bool) throws {
            connection = try SQLiteConnection(path: path, mode: .readOnly)
            try connection.execute("PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -4096")
            rows = try HourRows(connection, loop: SQLiteRowLoop(connection), isOver: isOver)
        }

        /// All hours as they are at one moment.
        func make(_ jobs: [Job]) throws -> [HourColumns] {
            try connection.execute("BEGIN")
            defer { connection.rollBack() }
            let arrival = try connection.integer("SELECT arrivals FROM totals")
            return try jobs.map { job in
                try HourColumns(of: job.hour, before: arrival, expecting: job.plays, from: rows)
            }
        }
    }
}
