internal import Archive
internal import Foundation
internal import Platform
internal import PlayStore
internal import Reports
internal import Synchronization

/// Judges service levels once a minute beside ingest, on a thread of its own with a store that only reads.
final class LevelWatch: Sendable {
    /// How the levels stand, for the metrics.
    struct Standing: Sendable {
        /// Every level of the file, in the file's order; its severity is nil until it was judged.
        var levels: [(name: String, text: String, severity: Int?)] = []
        /// When they were last judged, ms since 1970.
        var judgedAt: Int64?
    }

    private struct State: Sendable {
        var levels: [ServiceLevel]
        var severities: [String: Int] = [:]
        var judgedAt: Int64?
        /// The names of levels that could not be judged when they were last looked at.
        var failing: Set<String> = []
        var isReloaded = false
        var isStopping = false
    }

    private let configuration: AlertConfiguration
    private let file: LevelFile
    private let store: @Sendable () throws -> any ReportStore
    /// Whether nothing should be judged now: the store lacks plays, or is damaged.
    private let isBlind: @Sendable () -> Bool
    private let desk: AlertDesk
    private let base: String
    private let log: EventLog
    private let now: @Sendable () -> Int64
    /// Called after each look.
    private let onJudged: @Sendable () -> Void
    private let startedAt: Int64
    private let state: Monitor<State>
    private let thread = WorkerThread()

    /// - Parameters:
    ///   - base: where the server's reports are.
    ///   - now: ms since 1970.
    init(
        _ configuration: AlertConfiguration, file: LevelFile, levels: [ServiceLevel], desk: AlertDesk, base: String,
        log: EventLog,
        store: @escaping @Sendable () throws -> any ReportStore, isBlind: @escaping @Sendable () -> Bool,
        now: @escaping @Sendable () -> Int64, onJudged: @escaping @Sendable () -> Void
    ) {
        self.configuration = configuration
        self.file = file
        self.desk = desk
        self.base = base
        self.log = log
        self.store = store
        self.isBlind = isBlind
        self.now = now
        self.onJudged = onJudged
        startedAt = now()
        state = Monitor(State(levels: levels))
    }

    var standing: Standing {
        state.read { state in
            Standing(
                levels: state.levels.map { ($0.name, $0.text, state.severities[$0.name]) }, judgedAt: state.judgedAt)
        }
    }

    /// Reads the file again; a level that stays as it was keeps its alerts.
    ///
    /// - Throws: what is wrong with it; the levels in force then stay.
    func reload() throws(IngestServerError) {
        let levels = try file.read()
        state.change { ($0.levels, $0.isReloaded) = (levels, true) }
    }

    // MARK: The thread

    func start() throws(ThreadError) {
        try thread.start(name: "levels", niceness: 5) { [self] in run() }
    }

    func requestStop() {
        state.change { $0.isStopping = true }
    }

    func stop() {
        requestStop()
        thread.join()
    }

    private func run() {
        var earlier = EarlierGroups()
        while !state.read({ $0.isStopping }) {
            var pause = configuration.everyMs
            state.change { $0.isReloaded = false }
            if isBlind() {
                // What is missing may be there in a moment.
                pause = min(pause, 1_000)
            } else {
                judge(&earlier)
            }
            state.wait(milliseconds: pause) { $0.isStopping || $0.isReloaded }
        }
    }

    private func judge(_ earlier: inout EarlierGroups) {
        let time = now()
        let end = Moment(milliseconds: time).endOfMinute.milliseconds
        let levels = state.read { $0.levels }
        var readings: [LevelReading] = []
        var severities = state.read { $0.severities }.filter { name, _ in levels.contains { $0.name == name } }
        var unjudged: Set<String> = []
        for level in levels {
            do {
                let look = try self.look(at: level, until: end, &earlier)
                readings += look.readings
                severities[level.name] = look.severity
                note(level, fault: nil)
            } catch is Stopped {
                return
            } catch {
                // What is known of this level stays, and the others are judged all the same.
                unjudged.insert(level.text)
                note(level, fault: words(of: error))
            }
        }
        earlier.forgetUnused()
        state.change { state in
            state.severities = severities
            state.failing.formIntersection(levels.map(\.name))
        }
        desk.take(readings, of: levels.map(\.text), unjudged: unjudged, at: time)
        onJudged()
        if unjudged.isEmpty { state.change { $0.judgedAt = time } }
    }

    /// The server ends: what was being judged is of no use.
    private struct Stopped: Error {}

    /// What a level is about that says nothing of it.
    private static let usualWindow: Int64 = 3_600_000

    /// What a level's report of one window says.
    private struct Judged {
        var readings: [LevelReading]
        /// By their keys.
        var failing: [String: LevelReading]
        var severity: Int

        init(_ results: [ServiceLevelResult], _ reading: (ServiceLevelResult) -> LevelReading) {
            readings = results.map(reading)
            let failing = readings.filter { $0.verdict == .failing }.map { ($0.key, $0) }
            self.failing = Dictionary(failing, uniquingKeysWith: { first, _ in first })
            severity = results.map(\.outcome.severity).max() ?? 0
        }
    }

    /// Judges one level, in the time that a level has.
    private func look(
        at level: ServiceLevel, until end: Int64, _ earlier: inout EarlierGroups
    ) throws -> (readings: [LevelReading], severity: Int) {
        if state.read({ $0.isStopping }) { throw Stopped() }
        var limits = ReportLimits()
        limits.groups = configuration.mostGroups
        limits.named = ReportsRoute.mostNamed
        limits.end = .now + configuration.patience
        let maker = ReportMaker(store: try store(), limits: limits)
        var undated = level
        undated.window = nil
        func judged(from start: Int64) throws -> Judged {
            if state.read({ $0.isStopping }) { throw Stopped() }
            let request = ReportRequest(days: .window(start..<end), by: [])
            return Judged(try maker.check([undated], request, earlier: &earlier)) { result in
                LevelReading(result, window: start..<end, startedAt: startedAt, base: base)
            }
        }
        var whole = try judged(from: end - (level.window?.milliseconds ?? Self.usualWindow))
        // Groups that were resolved at one time share a report.
        var rests: [Int64: Judged] = [:]
        for index in whole.readings.indices {
            let reading = whole.readings[index]
            guard let start = desk.freshStart(for: reading) else { continue }
            // Plays that come late into the window in which the alert was resolved don't fire it again: what came after has to
            // fail by itself.
            whole.readings[index].verdict = .unclear
            guard start < end else { continue }
            let rest = try rests[start] ?? judged(from: start)
            rests[start] = rest
            if let failing = rest.failing[reading.key] { whole.readings[index] = failing }
        }
        return (whole.readings, whole.severity)
    }

    private func words(of error: any Error) -> String {
        switch error {
        case ReportLimitError.groups(let most): "it has more than \(most) groups"
        case ReportLimitError.time, SQLiteStoreError.outOfPatience: "its report takes too long"
        default: "\(error)"
        }
    }

    /// Says once that a level can't be judged, and once that it can be again.
    private func note(_ level: ServiceLevel, fault: String?) {
        let hasChanged = state.change { state in
            fault == nil ? state.failing.remove(level.name) != nil : state.failing.insert(level.name).inserted
        }
        guard hasChanged else { return }
        if let fault {
            log(.warning, "levels not judged", ["reason": "\(level.name): \(fault)"])
        } else {
            log(.info, "levels judged again", ["level": level.name])
        }
    }
}

/// The file of service levels of a server.
struct LevelFile: Sendable {
    let path: String

    /// - Throws: ``IngestServerError`` for a file that is none.
    func read() throws(IngestServerError) -> [ServiceLevel] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .levels(file: path, reason: "it can't be read")
        }
        let levels: [ServiceLevel]
        do {
            levels = try ServiceLevel.parse(String(decoding: data, as: UTF8.self))
        } catch {
            throw .levels(file: path, reason: error.description)
        }
        if let level = levels.first(where: { $0.dimensions.contains(.hour) }) {
            throw .levels(
                file: path,
                reason: "\(level.name) goes by hour; one that is watched says how far it looks back, as in 'over 1h'")
        }
        guard !levels.isEmpty else { throw .levels(file: path, reason: "it holds no service level") }
        return levels
    }
}
