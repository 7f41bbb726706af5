internal import Archive
internal import CommandLineTool
internal import Foundation
internal import HTTPServing
internal import Ingest
internal import Platform
internal import PlaybackEvents
internal import Synchronization

/// `qoe-benchmarks paths`: what a play costs at each step of its way, alone.
enum PathsBenchmark {
    static let command = Command(
        "paths", summary: "measures each hot path alone",
        options: [
            Option("requests", "N", initial: "4000", help: "Requests of 50 events that each path works on."),
            Option("rounds", "N", initial: "5", help: "Rounds, of which the median counts."),
            Option("plays", "N", initial: "1000000", help: "Plays that the follower loads."),
        ])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let requests = try arguments.int("requests", in: 1...1_000_000) ?? 4_000
        let rounds = try arguments.int("rounds", in: 1...1_000) ?? 5
        var table = ResultTable()
        try measure(requests: requests, rounds: rounds, into: &table)
        let folder = try WorkFolder()
        let plays = try arguments.int("plays", in: 50...100_000_000) ?? 1_000_000
        let events = min(50, plays)
        let store = GrowingStore(in: folder.path, SampleLog(events: events...events))
        try FollowPath.measure(store, plays: plays, into: &table)
        print(table.markdown)
        return .success
    }

    static func measure(requests: Int, rounds: Int, into table: inout ResultTable) throws {
        try AccessPath.measure(requests: requests * 10, rounds: rounds, into: &table)
        try DecodingPath.measure(requests: requests, rounds: rounds, into: &table)
        try CompressionPath.measure(requests: requests, rounds: rounds, into: &table)
        try CommitPath.measure(requests: requests, into: &table)
        try RecordPath.measure(records: requests * 100, rounds: rounds, into: &table)
        try AllocationCount.measure(into: &table)
        try FoldPath.measure(reports: requests * 25, rounds: rounds, plays: requests * 25, into: &table)
    }
}

/// Loading an archive into the embedded database.
enum FollowPath {
    /// - Parameter store: a part of the plays may be there.
    @discardableResult
    static func measure(_ store: GrowingStore, plays: Int, into table: inout ResultTable) throws -> GrowingStore.Step {
        let before = Double(store.plays)
        let step = try store.grow(to: plays)
        let rate = Double(step.plays) / step.seconds
        table.add(
            "follow \(figure(Double(plays))) plays",
            "\(figure(rate)) plays/s; \(figure(step.processorSeconds / Double(step.plays) * 1e6)) µs of a processor each",
            rate, atLeast: 300_000, "≥ 300,000 plays/s, idle machine")
        let million = 1_000_000.0
        if Double(step.plays) >= 2 * million {
            let first = Self.rate(step.marks, from: before, to: before + million)
            let last = Self.rate(step.marks, from: Double(plays) - million, to: Double(plays))
            table.add(
                "the last million against the first", "\(figure(last / first)) ×", last / first, atLeast: 0.85, "≥ 0.85"
            )
        }
        let bytes = Double(try store.databaseBytes) / Double(plays)
        table.add("database", "\(figure(bytes)) bytes a play", bytes, atMost: 130, "≤ 130 bytes a play")
        return step
    }

    private static func rate(_ marks: [(plays: Double, seconds: Double)], from first: Double, to last: Double) -> Double
    {
        guard let begin = marks.last(where: { $0.plays <= first }) ?? Optional((plays: first, seconds: 0)),
            let end = marks.first(where: { $0.plays >= last })
        else { return 0 }
        return (end.plays - begin.plays) / (end.seconds - begin.seconds)
    }
}

/// Group commits from many threads at once: compressed, written, synced.
private enum CommitPath {
    static func measure(requests: Int, threads: Int = 32, into table: inout ResultTable) throws {
        let folder = try WorkFolder()
        let committer = try Committer(directory: DataDirectory(folder.path))
        var log = SampleLog()
        let parts = try (0..<requests).map { _ in
            var lines: [UInt8] = []
            let receivedAt = try log.appendLines(to: &lines)
            return LogLines(plays: lines, receivedAt: receivedAt)
        }
        let failures = Mutex(0)
        let start = SystemClock.monotonic
        let senders = try (0..<threads).map { first in
            try SystemThread(name: "sender") { @Sendable in
                for index in stride(from: first, to: parts.count, by: threads) {
                    do { try committer.commit(parts[index]) } catch { failures.withLock { $0 += 1 } }
                }
            }
        }
        for sender in senders { sender.join() }
        let seconds = Double(SystemClock.monotonic - start) / 1e9
        let snapshot = committer.snapshot()
        committer.stop()
        guard failures.withLock({ $0 == 0 }) else { throw CommitError(.failed, "a commit of the benchmark failed") }
        table.add(
            "group commit, \(threads) threads",
            "\(figure(Double(log.plays) / seconds)) events/s, \(figure(Double(snapshot.archivedBytes) / Double(log.plays)))"
                + " bytes each")
    }
}

/// Decoding and judging requests, and writing their lines, on one core.
private enum DecodingPath {
    static func measure(requests: Int, rounds: Int, into table: inout ResultTable) throws {
        var log = SampleLog()
        let bodies = (0..<requests).map { _ in log.nextBody() }
        let plays = Double(log.plays)
        let documents = bodies.prefix(max(1, requests / 20)).map { Data($0.bytes) }
        let share = Double(documents.count) / Double(requests)
        let decoder = JSONDecoder()
        let batches = try bodies.map { try RequestDecoder.decode($0.bytes, receipt: $0.receipt) }
        var lines: [UInt8] = []
        let times = try Rounds(
            rounds,
            [
                { for body in bodies { _ = try RequestDecoder.decode(body.bytes, receipt: body.receipt) } },
                { for document in documents { _ = try decoder.decode(DecodedEvent.Batch.self, from: document) } },
                {
                    lines.removeAll(keepingCapacity: true)
                    for batch in batches { ArchiveLine.append(batch, to: &lines) }
                },
            ])
        let ours = times.median(0) / plays * 1e9
        let foundations = times.median(1) / (plays * share) * 1e9
        let ratio = times.ratio(1, to: 0) / share
        table.add(
            "decode and validate",
            "\(figure(ours)) ns an event of \(figure(log.eventBytes)) bytes; JSONDecoder"
                + " \(figure(foundations)) ns: \(figure(ratio)) ×", ratio, atLeast: 30, "≥ 30 × JSONDecoder")
        table.add(
            "writing the archive's line",
            "\(figure(times.median(2) / plays * 1e9)) ns, \(figure(Double(lines.count) / plays)) bytes")
    }
}

/// How often the client's `record()` asks the allocator for memory: counted by valgrind, as the difference of two runs.
enum AllocationCount {
    /// Hands over plays, and does nothing else.
    static let command = Command(
        "record", summary: "hands plays to the client library and ends, for tools that watch a process",
        options: [Option("plays", "N", initial: "1000", help: "How many.")])

    private static let valgrind = "/usr/bin/valgrind"

    static func run(_ arguments: Arguments) throws -> ExitCode {
        try RecordPath.record(try arguments.int("plays", in: 0...10_000_000) ?? 1_000)
        return .success
    }

    static func measure(into table: inout ResultTable) throws {
        guard FileManager.default.isExecutableFile(atPath: valgrind) else { return }
        let few = try allocations(plays: 1_000)
        let many = try allocations(plays: 11_000)
        table.add("allocations of record()", "\(figure((many - few) / 10_000)) a play")
    }

    private static func allocations(plays: Int) throws -> Double {
        let folder = try WorkFolder()
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let log = folder.path + "/log"
        _ = try ChildRun(
            valgrind, ["--undef-value-errors=no", "--log-file=\(log)", own, "record", "--plays", String(plays)])
        let words = try String(contentsOfFile: log, encoding: .utf8).split(whereSeparator: \.isWhitespace)
        guard let position = words.firstIndex(of: "usage:"), position + 1 < words.count,
            let count = Double(words[position + 1].filter { $0 != "," })
        else { throw PeerFailure(description: "valgrind counted nothing") }
        return count
    }
}

/// Reading a request's head and judging its key, on one core.
enum AccessPath {
    /// The key that loads on a server send, too.
    static let key = "0b9e6a52c87d4f1f9a34de6177d0c4aa5e1b43c2b8f90213"
    /// A key file with the key as the last of eight.
    static let keyFile = (0..<7).map { "other\($0) another-key-of-somebody-\($0)\n" }.joined() + "app \(key)\n"

    static func measure(requests: Int, rounds: Int, into table: inout ResultTable) throws {
        var chance = SeededGenerator(seed: 1)
        let request = RequestTemplate(
            SampleBody(events: 1, form: .full, using: &chance), path: "/v1/playback-events", key: key)
        guard let head = try parsed(request) else { throw PeerFailure(description: "the sample's head is not whole") }
        let access = SharedAccess(
            AccessRules(
                writeKeys: try KeyRing(text: keyFile), readKeys: KeyRing(), allowsAnonymous: false,
                listensOnLoopback: true))
        guard access.verdict(for: .write, head) == .allowed(keyName: "app") else {
            throw PeerFailure(description: "the sample's key is not let in")
        }
        let times = try Rounds(
            rounds,
            [
                { for _ in 0..<requests { _ = try parsed(request) } },
                { for _ in 0..<requests { _ = access.verdict(for: .write, head) } },
            ])
        table.add("reading a request's head", "\(figure(times.median(0) / Double(requests) * 1e9)) ns")
        table.add("judging its key, one of eight", "\(figure(times.median(1) / Double(requests) * 1e9)) ns")
    }

    private static func parsed(_ request: RequestTemplate) throws -> HTTPRequestHead? {
        try request.bytes.withUnsafeBytes { bytes in
            var parser = HTTPHeadParser(peer: .loopback)
            return try parser.parse(bytes)
        }
    }
}

/// An event as one would write it for Foundation's decoder, which checks types and nothing else.
private struct DecodedEvent: Decodable {
    struct Failure: Decodable {
        var domain: String
        var code: Int
    }

    var videoId: String
    var stalls: Int
    var stalledMs: Int
    var watchedMs: Int
    var startupMs: Int?
    var avgBitrate: Double?
    var error: Failure?
    var playId: String?
    var ageMs: Int?
    var bytes: Int?
    var memoryBytes: Int?
    var waitedMs: Int?
    var accessLogStartupMs: Int?
    var attempt: Int?
    var sessionId: String?
    var cdn: String?
    var cdnRegion: String?
    var network: String?

    struct Context: Decodable {
        var source: String?
        var appVersion: String?
        var osVersion: String?
        var deviceModel: String?
        var player: String?
        var tags: [String: String]?
    }

    struct Batch: Decodable {
        var schemaVersion: Int
        var context: Context
        var events: [DecodedEvent]
    }
}
