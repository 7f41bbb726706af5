import Archive
import Foundation
import PlayStore
import Platform
import Reports
import Synchronization
import TestSupport
import Testing

@testable import Ingest

@Suite("A look at service levels")
struct LevelWatchTests {
    private let data: DataFolder
    private let record = RecordingStore.Record()
    private let log = RunningServer.LogLines()
    private let clock = Clock()
    private let looks = Monitor(0)

    init() throws {
        data = try DataFolder()
    }

    /// A wall clock that the test moves.
    private final class Clock: Sendable {
        private let milliseconds = Atomic<Int64>(DataFolder.morning)
        var now: Int64 { milliseconds.load(ordering: .relaxed) }
        func go(minutes: Int64) { milliseconds.add(minutes * 60_000, ordering: .relaxed) }
    }

    /// Whose reports take too long, and who is to be stopped.
    private final class Trouble: Sendable {
        let slow = Mutex<Set<PlayDimension>>([])
        let watch = Mutex<LevelWatch?>(nil)
    }

    /// Takes plays of some regions in, which ended so long ago.
    private func receive(_ plays: Int, of regions: [String], minutesAgo: Int = 0) throws {
        let events = regions.flatMap { region in
            (0..<plays).map { _ in event(#""cdnRegion":"\#(region)""#, #""ageMs":\#(minutesAgo * 60_000)"#) }
        }
        try data.receive(
            #"{"events":[\#(events.joined(separator: ","))]}"#, .number(UInt64(clock.now), at: clock.now))
    }

    /// A watch of which each look but the first is asked for.
    private func watch(
        _ levels: String, beforeSums: @escaping @Sendable (SumsQuestion) throws -> Void = { _ in }
    ) throws -> (watch: LevelWatch, desk: AlertDesk) {
        let file = data.folder.path("levels")
        try levels.write(toFile: file, atomically: true, encoding: .utf8)
        var configuration = AlertConfiguration()
        configuration.everyMs = 3_600_000
        let log = EventLog(now: { 0 }, write: log.add)
        let desk = AlertDesk(AlertFile(data.paths), tells: false, log: log)
        let (paths, record) = (data.paths, record)
        let watch = LevelWatch(
            configuration, file: LevelFile(path: file), levels: try LevelFile(path: file).read(), desk: desk, base: "",
            log: log,
            store: {
                RecordingStore(
                    store: try EmbeddedChoice().reports(paths), record: record, beforeSums: beforeSums)
            },
            isBlind: { false }, now: { [clock] in clock.now },
            onJudged: { [looks] in looks.change { $0 += 1 } })
        return (watch, desk)
    }

    /// Lets it look once more; the first time it is started for that.
    private func look(_ watch: LevelWatch) throws {
        let before = looks.read { $0 }
        if before == 0 { try watch.start() } else { try watch.reload() }
        #expect(looks.wait(milliseconds: 60_000) { $0 > before })
    }

    @Test("makes one report for all groups that were resolved at one time, not one for each")
    func oneReport() throws {
        let regions = (0..<20).map { "region-\($0)" }
        try receive(3, of: regions)
        let (watch, desk) = try watch("many: plays < 3 by cdnRegion over 1h")
        defer { watch.stop() }
        try look(watch)
        #expect(desk.firing == ["many: plays < 3 by cdnRegion over 1h": 20])
        clock.go(minutes: 61)
        try receive(1, of: regions)
        try look(watch)
        #expect(desk.firing.isEmpty)
        clock.go(minutes: 5)
        try receive(4, of: regions, minutesAgo: 20)
        record.clear()
        try look(watch)
        #expect(desk.firing.isEmpty)
        #expect(record.count("sums") == 2)
    }

    @Test("judges each level that can be judged, and says once of each of the others which it is")
    func oneByOne() throws {
        try receive(1, of: ["eu"])
        let trouble = Trouble()
        trouble.slow.withLock { $0 = [.network] }
        let (watch, desk) = try watch(
            "one: plays >= 9 by network\ntwo: plays >= 9 by cdn\nthree: plays >= 9 by cdnRegion"
        ) { question in
            let isSlow = trouble.slow.withLock { !$0.isDisjoint(with: question.scope.dimensions) }
            if isSlow { throw SQLiteStoreError.outOfPatience }
        }
        defer { watch.stop() }
        try look(watch)
        #expect(desk.firing.count == 2)
        #expect(watch.standing.levels.map(\.severity) == [nil, 2, 2])
        try look(watch)
        trouble.slow.withLock { $0 = [.network, .cdn] }
        try look(watch)
        try look(watch)
        #expect(desk.firing.count == 2)
        trouble.slow.withLock { $0 = [] }
        try look(watch)
        #expect(desk.firing.count == 3)
        func lines(_ event: String) -> [Substring] {
            log.text.split(separator: "\n").filter { $0.contains(#""event":"\#(event)""#) }
        }
        let said = lines("levels not judged")
        #expect(said.count == 2, "\(said)")
        #expect(said.first?.contains(#""reason":"one: "#) == true && said.last?.contains(#""reason":"two: "#) == true)
        #expect(lines("levels judged again").count == 2)
    }

    @Test("ends with the report that is being made when the server ends, and changes nothing")
    func stops() throws {
        try receive(1, of: ["eu"])
        let trouble = Trouble()
        let (watch, desk) = try watch("one: plays >= 9 by cdnRegion\ntwo: plays >= 9 by cdn\nthree: plays >= 9") { _ in
            trouble.watch.withLock { $0 }?.requestStop()
        }
        trouble.watch.withLock { $0 = watch }
        try watch.start()
        watch.stop()
        #expect(record.count("sums") <= 1)
        #expect(desk.firing.isEmpty && looks.read { $0 } == 0)
        trouble.watch.withLock { $0 = nil }
    }
}
