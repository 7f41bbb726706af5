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
        /// Every level of the file by its name, in the file's order; nil until it was judged.
        var levels: [(name: String, severity: Int?)] = []
        /// When they were last judged, ms since 1970.
        var judgedAt: Int64?
    }

    private struct State: Sendable {
        var levels: [ServiceLevel]
        var severities: [String: Int] = [:]
        var judgedAt: Int64?
        var isFailing = false
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
                levels: state.levels.map { ($0.name, state.severities[$0.name]) }, judgedAt: state.judgedAt)
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
        var fault: String?
        for level in levels {
            if state.read({ $0.isStopping }) { return }
            let window = end - (level.window?.milliseconds ?? Self.usualWindow)..<end
            do {
                let results = try check(level, window, &earlier)
                readings += try results.map { result in
                    let reading = LevelReading(result, window: window, startedAt: startedAt, base: base)
                    return try judgedAnew(reading, level, &earlier)
                }
                severities[level.name] = results.map(\.outcome.severity).max() ?? 0
            } catch {
                // What is known of this level stays, and the others are judged all the same.
                fault = "\(level.name): \(error)"
            }
        }
        earlier.forgetUnused()
        desk.take(readings, of: levels.map(\.text), at: time)
        onJudged()
        state.change { $0.severities = severities }
        if let fault { return note(fault: fault) }
        let isBack = state.change { state in
            defer { state.isFailing = false }
            state.judgedAt = time
            return state.isFailing
        }
        if isBack { log(.info, "levels judged again") }
    }

    /// What a level is about that says nothing of it.
    private static let usualWindow: Int64 = 3_600_000

    private func check(
        _ level: ServiceLevel, _ window: Range<Int64>, _ earlier: inout EarlierGroups
    ) throws -> [ServiceLevelResult] {
        var limits = ReportLimits()
        limits.groups = configuration.mostGroups
        limits.named = ReportsRoute.mostNamed
        limits.end = .now + configuration.patience
        var level = level
        level.window = nil
        let request = ReportRequest(days: .window(window), by: [])
        return try ReportMaker(store: store(), limits: limits).check([level], request, earlier: &earlier)
    }

    /// Plays that come late into a window in which the alert was resolved don't fire it again: what came after has to fail by
    /// itself.
    private func judgedAnew(
        _ reading: LevelReading, _ level: ServiceLevel, _ earlier: inout EarlierGroups
    ) throws -> LevelReading {
        guard let start = desk.freshStart(for: reading) else { return reading }
        var reading = reading
        reading.verdict = .unclear
        guard start < reading.to else { return reading }
        let rest = start..<reading.to
        let results = try check(level, rest, &earlier)
        let readings = results.map { LevelReading($0, window: rest, startedAt: startedAt, base: base) }
        return readings.first { $0.key == reading.key && $0.verdict == .failing } ?? reading
    }

    private func note(fault: String) {
        let isNew = state.change { state in
            defer { state.isFailing = true }
            return !state.isFailing
        }
        if isNew { log(.warning, "levels not judged", ["reason": fault]) }
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
