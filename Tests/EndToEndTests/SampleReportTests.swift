import Foundation
import TestSupport
import Testing

@Suite("The reports of the sample data")
struct SampleReportTests {
    @Test("are what a brute-force computation over the archive's lines gives, cell by cell")
    func bruteForce() throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        let sample = Checkout.root.appendingPathComponent("sample-data/two-days.ndjson.gz").path
        let qoe = BuiltProgram("qoe")
        let loaded = try qoe.run(["load", "--any-time", "--data", data, sample])
        #expect(loaded.status == 0, "\(loaded.errors)")
        let report = try qoe.run([
            "report", "--data", data, "--by", "day,cdnRegion", "--metric", "all", "--format", "csv", "--output",
            folder.path("csv"),
        ])
        #expect(report.status == 0, "\(report.errors)")

        let plays = try ArchivedPlay.all(inArchiveOf: data)
        #expect(plays.count > 5_000)
        let expected = BruteForceReport(plays)
        let tables: [(String, ([ArchivedPlay]) -> [BruteForceReport.Row])] = [
            ("summary", BruteForceReport.summary), ("startup", BruteForceReport.startup),
            ("rebuffering", BruteForceReport.rebuffering), ("failures", BruteForceReport.failures),
            ("sessions", BruteForceReport.sessions),
        ]
        for (name, row) in tables {
            let rows = try Self.rows(folder.path("csv") + "/\(name).csv")
            let wanted = expected.rows(row)
            #expect(rows.count == wanted.count, "\(name).csv")
            for (row, wanted) in zip(rows, wanted) {
                #expect(row.filter { !$0.key.contains("_low_") && !$0.key.contains("_high_") } == wanted, "\(name).csv")
            }
        }
    }

    @Test("show what each way to keep players does to the startup, which the simulation's help calls assumptions")
    func lifecycles() throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        let sample = Checkout.root.appendingPathComponent("sample-data/two-days.ndjson.gz").path
        let qoe = BuiltProgram("qoe")
        #expect(try qoe.run(["load", "--any-time", "--data", data, sample]).status == 0)
        let report = try qoe.run([
            "report", "--data", data, "--by", "tag:lifecycle", "--metric", "startup", "--format", "csv",
        ])
        try report.output.write(toFile: folder.path("startup.csv"), atomically: true, encoding: .utf8)
        let rows = try Self.rows(folder.path("startup.csv"))
        let medians = Dictionary(
            rows.map { ($0["tag_lifecycle"] ?? "", Int($0["startup_p50_ms"] ?? "") ?? 0) }, uniquingKeysWith: min)
        let ways = ["default", "reuse_pool", "id_scoped_pool", "singleton"]
        #expect(Set(medians.keys) == Set(ways + ["(all)"]), "\(report.output)")
        let (fresh, pooled) = (medians["default"] ?? 0, medians["reuse_pool"] ?? 0)
        #expect(pooled > 0 && pooled < fresh / 2)
        let help = try BuiltProgram("qoe-simulate").run(["--help"])
        #expect(ways.allSatisfy { help.output.contains($0) } && help.output.contains("assumption of the simulation"))
    }

    /// The rows of a CSV file none of whose cells is quoted.
    private static func rows(_ path: String) throws -> [BruteForceReport.Row] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\r\n").filter {
            !$0.isEmpty
        }
        let header = try #require(lines.first).components(separatedBy: ",")
        return lines.dropFirst().map { line in
            Dictionary(uniqueKeysWithValues: zip(header, line.components(separatedBy: ",")))
        }
    }
}

/// The reports by day and region, computed the long way round: every figure by its definition, from lists of plays.
struct BruteForceReport {
    typealias Row = [String: String]

    private let plays: [ArchivedPlay]

    init(_ plays: [ArchivedPlay]) {
        self.plays = plays
    }

    /// The rows of a table in the order of the files, without the intervals.
    func rows(_ row: ([ArchivedPlay]) -> [Row]) -> [Row] {
        Set(plays.map(\.day)).sorted().flatMap { day -> [Row] in
            let ofDay = plays.filter { $0.day == day }
            let regions = Dictionary(grouping: ofDay, by: \.region)
            let ordered = regions.sorted { one, other in
                (-one.value.count, one.key) < (-other.value.count, other.key)
            }
            return (ordered.map { ($0.key, $0.value) } + [("(all)", ofDay)]).flatMap { region, plays in
                row(plays).map { $0.merging(["period": day, "cdn_region": region, "definitions": "2"]) { $1 } }
            }
        }
    }

    static func summary(_ plays: [ArchivedPlay]) -> [Row] {
        var row = startup(plays)[0].filter { !["target_ms", "quick_exits"].contains($0.key) }
        let rebuffering = rebuffering(plays)[0]
        for column in ["started", "watched_ms", "rebuffer_ratio", "stalls_per_hour"] {
            row[column] = rebuffering[column]
        }
        let sessions = sessions(plays)[0]
        for column in sessions.keys
        where column.hasPrefix("data_") || column.hasPrefix("memory_p") || column == "sessions" {
            row[column] = sessions[column]
        }
        row["failure_ratio"] = ratio(plays.filter { $0.error != nil }.count, plays.count)
        row["late"] = String(plays.filter { $0.receivedAt > nextDay(after: $0.endedAt) + 3_600_000 }.count)
        return [row]
    }

    static func startup(_ plays: [ArchivedPlay]) -> [Row] {
        let measured = plays.compactMap(\.startupMs).sorted()
        let exits = plays.filter { !$0.started && $0.error == nil }
        let quick = exits.filter { $0.waitedMs.map { $0 < 1_000 } == true }
        return [
            [
                "plays": String(plays.count),
                "measured": String(measured.count),
                "startup_p50_ms": percentile(measured, 50),
                "startup_p95_ms": percentile(measured, 95),
                "target_ms": "1000",
                "startup_within_target_ratio": ratio(measured.filter { $0 <= 1_000 }.count, measured.count),
                "exits_before_start_ratio": ratio(exits.count - quick.count, plays.count),
                "quick_exits": String(quick.count),
            ]
        ]
    }

    static func rebuffering(_ plays: [ArchivedPlay]) -> [Row] {
        let started = plays.filter(\.started)
        let watched = started.map(\.watchedMs).reduce(0, +)
        let stalls = started.map(\.stalls).reduce(0, +)
        let stalled = started.map(\.stalledMs).reduce(0, +)
        let withStall = started.filter { $0.stalls > 0 }.count
        return [
            [
                "started": String(started.count),
                "watched_ms": String(watched),
                "stalled_ms": String(stalled),
                "stalls": String(stalls),
                "rebuffer_ratio": ratio(stalled, watched),
                "stalls_per_hour": ratio(stalls * 3_600_000, watched),
                "plays_with_stall": String(withStall),
                "plays_with_stall_ratio": ratio(withStall, started.count),
            ]
        ]
    }

    static func failures(_ plays: [ArchivedPlay]) -> [Row] {
        let failed = plays.filter { $0.error != nil }
        // The digit puts `start` before `playback`.
        let cells = Dictionary(grouping: failed) { ($0.error ?? "") + ($0.started ? "\t2playback" : "\t1start") }
        let ordered = cells.sorted { one, other in (-one.value.count, one.key) < (-other.value.count, other.key) }
        return ordered.map { key, failed in
            let parts = key.components(separatedBy: "\t")
            return [
                "error_code": parts[0], "phase": String(parts[1].dropFirst()), "failed_plays": String(failed.count),
                "plays": String(plays.count), "failure_ratio": ratio(failed.count, plays.count),
            ]
        }
    }

    static func sessions(_ plays: [ArchivedPlay]) -> [Row] {
        let sessions = Dictionary(grouping: plays.filter { $0.session != nil }, by: \.session)
        let counted = sessions.values.filter { plays in
            plays.contains { $0.started && $0.bytes != nil } || !plays.contains(where: \.started)
        }
        let bytes = counted.map { $0.compactMap(\.bytes).reduce(0, +) }.sorted()
        let estimated = counted.flatMap { $0 }.filter(\.isEstimated).compactMap(\.bytes).reduce(0, +)
        let memory = sessions.values.compactMap { plays in
            plays.filter { $0.memoryBytes != nil }
                .max { ($0.endedAt, $0.arrival) < ($1.endedAt, $1.arrival) }?.memoryBytes
        }.sorted()
        let rated = plays.filter { $0.started && $0.bitrate != nil }
        let playing = rated.map { $0.watchedMs - $0.stalledMs }.reduce(0, +)
        let total = bytes.reduce(0, +)
        return [
            [
                "sessions": String(counted.count),
                "bytes": String(total),
                "estimated_bytes": String(estimated),
                "estimated_ratio": ratio(estimated, total),
                "data_per_session_mean_bytes": whole(total, counted.count),
                "data_per_session_p50_bytes": percentile(bytes, 50),
                "data_per_session_p95_bytes": percentile(bytes, 95),
                "average_bitrate_bps": whole(8_000 * rated.compactMap(\.estimate).reduce(0, +), playing),
                "memory_sessions": String(memory.count),
                "memory_p50_bytes": percentile(memory, 50),
                "memory_p95_bytes": percentile(memory, 95),
            ]
        ]
    }

    private static func percentile(_ sorted: [Int], _ percent: Int) -> String {
        sorted.isEmpty ? "" : String(sorted[(sorted.count * percent + 99) / 100 - 1])
    }

    private static func ratio(_ part: Int, _ whole: Int) -> String {
        whole == 0 ? "" : String(format: "%.6f", Double(part) / Double(whole))
    }

    private static func whole(_ part: Int, _ whole: Int) -> String {
        whole == 0 ? "" : String((2 * part + whole) / (2 * whole))
    }

    private static func nextDay(after ms: Int) -> Int {
        (ms / 86_400_000 + 1) * 86_400_000
    }
}

/// One line of the archive, as a second reader sees it: zcat and Foundation's JSON, nothing of the product.
struct ArchivedPlay {
    let region: String
    let session: String?
    let day: String
    let endedAt: Int
    let receivedAt: Int
    let arrival: Int
    let startupMs: Int?
    let stalls: Int
    let stalledMs: Int
    let watchedMs: Int
    let waitedMs: Int?
    let memoryBytes: Int?
    let error: String?
    let sentBytes: Int?
    let bitrate: Int?

    var started: Bool { startupMs != nil || watchedMs > 0 }

    /// Rounded to the whole byte, half up.
    var estimate: Int? {
        bitrate.map { ($0 * (watchedMs - stalledMs) + 4_000) / 8_000 }
    }

    var bytes: Int? { sentBytes ?? (started ? estimate : 0) }
    var isEstimated: Bool { sentBytes == nil && started && bitrate != nil }

    /// Every play of an archive that a CDN served: of those with one id the first.
    static func all(inArchiveOf data: String) throws -> [ArchivedPlay] {
        let files = try BuiltProgram.run("sh", ["-c", "zcat $(find \(data)/archive -name '*.gz' | sort -t- -k5)"])
        var seen: Set<String> = []
        var plays: [ArchivedPlay] = []
        for (position, line) in files.output.split(separator: "\n").enumerated() {
            guard let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                json["videoId"] != nil, json["source"] as? String != "download"
            else { continue }
            if let id = json["playId"] as? String, !seen.insert(id).inserted { continue }
            plays.append(ArchivedPlay(json, arrival: position))
        }
        return plays
    }

    private init(_ json: [String: Any], arrival: Int) {
        func number(_ key: String) -> Int? { (json[key] as? NSNumber)?.intValue }
        region = json["cdnRegion"] as? String ?? "(unknown)"
        session = json["sessionId"] as? String
        endedAt = number("endedAt") ?? 0
        receivedAt = number("receivedAt") ?? 0
        self.arrival = arrival
        startupMs = number("startupMs")
        stalls = number("stalls") ?? 0
        stalledMs = number("stalledMs") ?? 0
        watchedMs = number("watchedMs") ?? 0
        waitedMs = number("waitedMs")
        memoryBytes = number("memoryBytes")
        error = json["error"] as? String
        sentBytes = number("bytes")
        bitrate = number("avgBitrate")
        let date = Date(timeIntervalSince1970: Double(endedAt / 1_000))
        day = date.ISO8601Format(.init(timeZone: .gmt).year().month().day())
    }
}
