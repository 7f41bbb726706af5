import PlaybackEvents
import SQLite
import StoreTestSupport
import TestSupport

@testable import PlayStore

/// A store with several hours of random plays: sessions with and without devices that change, plays of no session, late
/// ones, and what only some plays say.
struct ColumnsFixture {
    let fixture: StoreFixture
    private var generator: SeededGenerator
    /// The beginning of the first hour, ms since 1970.
    static let beginning = StoreFixture.halfPastTen - 30 * StoreFixture.minute

    init(seed: UInt64 = 1) throws {
        fixture = try StoreFixture()
        // So small that sessions get several numbers.
        fixture.store.dictionaryBytes = 200_000
        generator = SeededGenerator(seed: seed)
    }

    /// Receives plays in an hour, counted from ``beginning``.
    ///
    /// - Parameter age: of the plays, in hours at most.
    mutating func receive(_ plays: Int, inHour hour: Int, age: Int = 0, sessions: Int = 40) throws {
        var left = plays
        while left > 0 {
            let count = min(left, Int.random(in: 1...60, using: &generator))
            left -= count
            let minute = Int64.random(in: 2..<58, using: &generator)
            let events = (0..<count).map { _ in event(age: age, sessions: sessions, hour: hour) }
            try fixture.receive(
                events: events,
                at: Self.beginning + Int64(hour) * StoreFixture.hour + minute * StoreFixture.minute)
        }
    }

    private mutating func chance(_ perCent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < perCent }

    private mutating func event(age: Int, sessions: Int, hour: Int) -> String {
        let id = Identifier128(high: generator.next(), low: generator.next()).uuidText
        var fields: [String] = [#""playId":"\#(id)""#]
        let ageMs =
            age == 0
            ? Int.random(in: 0..<60_000, using: &generator) : Int.random(in: 0..<age * 3_600_000, using: &generator)
        fields.append(#""ageMs":\#(ageMs)"#)
        if chance(90) {
            // Some go on for hours.
            let session = Int.random(in: 0..<sessions, using: &generator)
            fields.append(#""sessionId":"session-\#(session % 4 == 0 ? "long" : "\(hour)")-\#(session)""#)
        }
        if chance(80) { fields.append(#""appVersion":"5.\#(Int.random(in: 0..<3, using: &generator)).0""#) }
        if chance(70) { fields.append(#""cdnRegion":"region-\#(Int.random(in: 0..<5, using: &generator))""#) }
        if chance(95) { fields.append(#""startupMs":\#(Int.random(in: 0..<4_000, using: &generator))"#) }
        if chance(60) { fields.append(#""avgBitrate":\#(Int.random(in: 0..<8_000, using: &generator) * 1_000)"#) }
        if chance(70) { fields.append(#""bytes":\#(Int.random(in: 0..<1 << 40, using: &generator))"#) }
        if chance(50) { fields.append(#""memoryBytes":\#(Int.random(in: 0..<100_000, using: &generator) * 4_096)"#) }
        if chance(5) { fields.append(#""waitedMs":\#(Int.random(in: 0..<9_000, using: &generator))"#) }
        if chance(5) { fields.append(#""attempt":\#(Int.random(in: 1..<5, using: &generator))"#) }
        if chance(30) { fields.append(#""accessLogStartupMs":\#(Int.random(in: 0..<4_000, using: &generator))"#) }
        if chance(10) { fields.append(#""playerStalls":\#(Int.random(in: 0..<4, using: &generator))"#) }
        if chance(10) { fields.append(#""playerStalledMs":\#(Int.random(in: 0..<400, using: &generator))"#) }
        if chance(20) { fields.append(#""tags":{"arm":"\#(Int.random(in: 0..<4, using: &generator))"}"#) }
        if chance(10) { fields.append(#""error":{"domain":"E","code":\#(Int.random(in: 0..<4, using: &generator))}"#) }
        let stalled = chance(10) ? Int.random(in: 0..<20_000, using: &generator) : 0
        fields.append(#""videoId":"v\#(Int.random(in: 0..<30, using: &generator))""#)
        fields.append(#""stalls":\#(stalled > 0 ? 2 : 0),"stalledMs":\#(stalled),"watchedMs":\#(20_000 + stalled)"#)
        return "{\(fields.joined(separator: ","))}"
    }

    // MARK: Looking

    /// The hours that have columns, and how many of their plays are in them, counted from ``beginning``.
    func hoursWithColumns() throws -> [Int: Int] {
        let rows = try fixture.rows(
            "SELECT hour - \(Self.beginning / StoreFixture.hour), column_plays FROM hours WHERE column_plays IS NOT NULL"
        )
        return Dictionary(uniqueKeysWithValues: rows.map { (Int($0[0]) ?? 0, Int($0[1]) ?? 0) })
    }

    static let everything = ColumnBlobs.selection.union(.video)

    /// All stretches that the reader gives.
    func stretches(
        _ selection: PlayColumns.Selection = everything, hours: ClosedRange<Int64>? = nil,
        order: PlayColumnReader.Order = .forward
    ) throws -> [PlayColumns] {
        let connection = try fixture.reader()
        let reader = try PlayColumnReader(connection, loop: SQLiteRowLoop(connection))
        var stretches: [PlayColumns] = []
        try reader.forEachStretch(
            hours: hours, order: order, columns: selection, aliases: reader.aliases(hours: hours)
        ) { stretches.append($0) }
        return stretches
    }

    /// Every play as one line of text, with the texts that its entries stand for, sorted.
    func plays(in stretches: [PlayColumns], withVideo: Bool = true) throws -> [String] {
        func texts(_ sql: String) throws -> [Int32: String] {
            Dictionary(uniqueKeysWithValues: try fixture.rows(sql).map { (Int32($0[0]) ?? 0, $0[1]) })
        }
        let sessions = try texts("SELECT id, session_id FROM runs")
        let devices = try texts("SELECT id, app_version FROM devices")
        let contexts = try texts("SELECT id, cdn_region FROM deliveries")
        let errors = try texts("SELECT id, error_code FROM errors")
        let tags = try texts("SELECT id, tags FROM tag_sets")
        let videos = try texts("SELECT id, video_id FROM videos")
        return stretches.flatMap { plays in
            (0..<plays.count).map { index in
                let endedAt = plays.hour * StoreFixture.hour + Int64(plays.endedMs[index])
                let texts = [
                    sessions[plays.session[index]], devices[plays.device[index]], contexts[plays.context[index]],
                    errors[plays.error[index]], tags[plays.tags[index]],
                    withVideo ? videos[plays.video[index]] : nil,
                ].map { $0 ?? "NULL" }
                let numbers = [
                    plays.startupMs, plays.stalls, plays.stalledMs, plays.watchedMs, plays.avgBitrate, plays.waitedMs,
                    plays.attempt, plays.accessLogStartupMs, plays.playerStalls, plays.playerStalledMs,
                ].map { Int64($0[index]) }
                let wide = [
                    plays.bytes[index], plays.memoryBytes[index], endedAt, endedAt + plays.lagMs[index],
                    Int64(plays.flags[index]),
                ]
                return (texts + (numbers + wide).map { $0 == -1 ? "NULL" : "\($0)" }).joined(separator: "|")
            }
        }.sorted()
    }

    /// The same of the view.
    func playsOfView(withVideo: Bool = true) throws -> [String] {
        try fixture.rows(
            """
            SELECT p.session_id, p.app_version, p.cdn_region, p.error_code, p.tags, \(withVideo ? "p.video_id" : "NULL"),
                p.startup_ms, p.stalls, p.stalled_ms, p.watched_ms, p.avg_bitrate, p.waited_ms, p.attempt,
                p.access_log_startup_ms, p.player_stalls, p.player_stalled_ms,
                r.bytes, p.memory_bytes, p.ended_at, p.received_at, r.flags
            FROM plays AS p JOIN play_rows AS r ON r.arrival = p.arrival
            """
        ).map { $0.joined(separator: "|") }.sorted()
    }
}
