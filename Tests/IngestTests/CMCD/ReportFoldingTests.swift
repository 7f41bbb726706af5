import Archive
import Foundation
import Ingest
import PlayFolding
import PlaybackEvents
import SQLite
import Synchronization
import Testing
import TestSupport

/// Plays made of what players report, through a server in this process with a clock that the test moves.
@Suite("Plays from reports")
struct ReportFoldingTests {
    private static let noon: Int64 = 1_795_953_600_000

    /// ms since 1970, moved by hand.
    private final class HandClock: Sendable {
        private let time: Mutex<Int64>
        init(_ time: Int64) { self.time = Mutex(time) }
        var now: Int64 { time.withLock { $0 } }
        func set(_ time: Int64) { self.time.withLock { $0 = time } }
        /// Moves on with each look.
        func tick(_ step: Int64) -> Int64 {
            time.withLock { time in
                time += step
                return time
            }
        }
    }

    private let folder: TemporaryFolder
    private var data: String { folder.path("data") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a server on the test's data directory, which has let go of it when this returns.
    private func serve(
        _ now: @escaping @Sendable () -> Int64, data: String? = nil,
        _ configure: (inout IngestConfiguration) -> Void = { _ in }, _ body: (RunningServer) throws -> Void
    ) throws {
        let data = data ?? self.data
        let running = try RunningServer(now: now) { configuration, _ in
            configuration.dataDirectory = data
            configuration.folding.pauseMs = 1
            configuration.folding.pollMs = 5
            configuration.folding.saveMs = 100
            configure(&configuration)
        }
        try body(running)
    }

    /// A play of five seconds that ends.
    private func reports(_ sid: String, from start: Int64) -> String {
        let states: [(String, Int64)] = [("s", 0), ("p", 400), ("r", 2_400), ("p", 2_900), ("e", 5_400)]
        return states.enumerated().map { sn, state in
            #"e=ps,sta=\#(state.0),sn=\#(sn),ts=\#(start + state.1),sid="\#(sid)",cid="clip",br=(2000),v=2"# + "\n"
        }.joined()
    }

    private func post(_ running: RunningServer, _ body: String, _ query: String = "") throws {
        let answer = try running.connect().post(
            "/v1/cmcd\(query)", Array(body.utf8), fields: ["Content-Type": "application/cmcd"])
        try #require(answer.status == 204)
    }

    private func plays(_ columns: String) throws -> [[String]] {
        let statement = try SQLiteConnection(path: data + "/qoe.sqlite", mode: .readOnly)
            .prepare("SELECT \(columns) FROM plays ORDER BY session_id, ended_at")
        var rows: [[String]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { statement.textOrNil($0) ?? "NULL" })
        }
        return rows
    }

    /// The lines of a log of a data directory.
    private func lines(_ log: LogKind = .plays, of data: String? = nil) throws -> [String] {
        var lines: [String] = []
        _ = try ArchiveVerifier(DataPaths(data ?? self.data)).verify(visit: { kind, bytes in
            if kind == log { lines += bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) } }
        })
        return lines
    }

    private func ticks() throws -> Int { try lines(.reports).count { !$0.contains("reports") } }

    @Test("stand in the database a minute after their end, with what the address said, and repeats change nothing")
    func closed() throws {
        let clock = HandClock(Self.noon)
        try serve({ clock.now }) { running in
            for _ in 0..<2 {
                try post(running, reports("a", from: Self.noon - 6_000), "?cdnRegion=eu&player=hls&tag.arm=b")
            }
            try running.server.waitForFollower()
            #expect(try plays("play_id") == [])
            clock.set(Self.noon + 61_000)
            try post(running, reports("b", from: Self.noon + 55_000))
            try running.server.waitForFollower()
            // The player's clock is set right by the smallest difference from ours.
            let expected = ["a", "clip", "400", "1", "500", "5000", "\(Self.noon)", "eu", "hls", "reported"]
            let columns =
                "session_id, video_id, startup_ms, stalls, stalled_ms, watched_ms, ended_at, cdn_region, player"
            #expect(try plays(columns + ", ended_by") == [expected])
            // Late repeats are known as such for an hour.
            try post(running, reports("a", from: Self.noon - 6_000))
            clock.set(Self.noon + 200_000)
            try post(running, reports("c", from: Self.noon + 190_000))
            try running.server.waitForFollower()
            #expect(try plays("session_id") == [["a"], ["b"]])
            let metrics = try running.connectToAdmin().get("/metrics").text
            #expect(metrics.contains("qoe_cmcd_late_reports_total 5\n"))
            #expect(metrics.contains("qoe_cmcd_plays_closed_total{cause=\"end\"} 2\n"))
            #expect(metrics.contains("qoe_cmcd_report_gaps_total 0\n"))
            #expect(metrics.contains("qoe_cmcd_open_plays 1\n") && metrics.contains("qoe_cmcd_lag_bytes 0\n"))
        }
    }

    @Test("are missed where the folder's place can't be noted: health says so until it can, and the log says it once")
    func unnoted() throws {
        let clock = HandClock(Self.noon)
        try serve({ clock.now }, { ($0.folding.saveMs, $0.folding.longestRetryMs) = (1, 100) }) { running in
            let obstacle = data + "/fold.places.new"
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            func degraded() throws -> Bool {
                try running.connectToAdmin().get("/readyz").text.contains("no plays are made of players' reports: ")
            }
            try post(running, reports("a", from: Self.noon - 6_000).split(separator: "\n")[0] + "\n")
            try waitUntil("the folder to fail") { try degraded() }
            // It takes what comes, and has not recovered for that.
            for number in 1...3 {
                try post(running, reports("\(number)", from: Self.noon - 6_000))
                #expect(try degraded())
            }
            #expect(!running.log.text.contains("fold recovered"))
            try FileManager.default.removeItem(atPath: obstacle)
            try waitUntil("the folder to recover") { try !degraded() }
            #expect(running.log.text.ranges(of: "fold failed").count == 1)
            #expect(running.log.text.ranges(of: "fold recovered").count == 1)
        }
    }

    @Test("close though nothing comes any more: lines in the log say what time it is, while plays are open")
    func ticking() throws {
        let clock = HandClock(Self.noon)
        try serve({ clock.tick(20_000) }, { $0.folding.tickMs = 1 }) { running in
            try post(running, reports("a", from: Self.noon - 6_000))
            try waitUntil("the play to close") { try plays("session_id") == [["a"]] }
        }
        let before = try ticks()
        #expect(before > 0)
        // Without an open play there are none.
        try serve({ clock.tick(20_000) }, { $0.folding.tickMs = 1 }) { try $0.server.waitForFollower() }
        #expect(try ticks() == before)
    }

    @Test(
        "are archived once wherever a process died between the two logs",
        arguments: ["as it was left", "older than the archive", "missing"])
    func restarts(positions: String) throws {
        let clock = HandClock(Self.noon)
        let file = URL(fileURLWithPath: data + "/fold.places")
        var old = Data()
        try serve({ clock.now }) { running in
            for number in 0..<40 {
                clock.set(Self.noon + Int64(number) * 20_000)
                try post(running, reports("s\(number / 10)\(number % 10)", from: clock.now - 6_000))
                if number == 20 {
                    try running.server.waitForFollower()
                    // What a process that dies later has noted last.
                    try waitUntil("the places to be noted") {
                        old = (try? Data(contentsOf: file)) ?? Data()
                        return !old.isEmpty
                    }
                }
            }
            try running.server.waitForFollower()
        }
        #expect(FileManager.default.fileExists(atPath: file.path))
        let before = try lines()
        #expect(before.count > 30 && before.count < 40)
        switch positions {
        case "missing": try FileManager.default.removeItem(at: file)
        case "older than the archive": try old.write(to: file)
        default: break
        }
        clock.set(Self.noon + 40 * 20_000 + 60_000)
        try serve({ clock.now }) { running in
            try post(running, reports("t", from: clock.now - 6_000))
            try running.server.waitForFollower()
        }
        let after = try lines()
        #expect(after.prefix(before.count) == before[...])
        #expect(after.count == 40)
        #expect(try plays("session_id").map { $0[0] } == (0..<40).map { "s\($0 / 10)\($0 % 10)" })
        let ids = try plays("play_id").map { $0[0] }
        #expect(Set(ids).count == 40 && ids.allSatisfy { $0.dropFirst(14).first == "8" })
    }

    @Test("of which the first reports were pruned are not archived from an empty archive")
    func truncated() throws {
        let clock = HandClock(Self.noon)
        let all = reports("a", from: Self.noon - 6_000).split(separator: "\n")
        // The beginning of a play, in a file that goes.
        try serve({ clock.now }) { try post($0, all.prefix(2).joined(separator: "\n")) }
        let day = try #require(FileManager.default.contentsOfDirectory(atPath: data + "/reports").first)
        try FileManager.default.removeItem(atPath: "\(data)/reports/\(day)")
        try? FileManager.default.removeItem(atPath: data + "/fold.places")
        try serve({ clock.now }) { running in
            try post(running, all.dropFirst(2).joined(separator: "\n"))
            try post(running, reports("b", from: Self.noon - 6_000))
            clock.set(Self.noon + 70_000)
            try post(running, reports("c", from: clock.now - 6_000))
            try running.server.waitForFollower()
            #expect(try plays("session_id") == [["b"]])
        }
        let verify = try BuiltProgram("qoe").run(["verify", "--data", data])
        #expect(verify.status == 1 && verify.output.contains("wrong: reports/day="))
    }

    @Test("come out of every recording as the fold makes them, over HTTP and by an import")
    func recordings() throws {
        try #require(RecordedRequests.names.count > 80)
        for name in RecordedRequests.names {
            let recording = try RecordedRequests(name)
            let expected = try recording.folded()
            let clock = HandClock(0)
            let mine = folder.path(name)
            try serve({ clock.now }, data: mine) { running in
                let connection = try running.connect()
                for request in recording.requests {
                    clock.set(request.receivedAt)
                    let path = "/v1/cmcd?\(recording.query(request))"
                    let answer =
                        request.method == "GET"
                        ? try connection.get(path, fields: request.headers ?? [:])
                        : try connection.post(
                            path, Array(request.body.utf8),
                            fields: request.contentType.map { ["Content-Type": $0] } ?? [:])
                    #expect(answer.status == 204, "\(name)")
                }
            }
            try close(mine, clock.now)
            #expect(try lines(of: mine).sorted() == expected, "\(name)")

            if recording.requests.contains(where: { $0.headers != nil }) { continue }
            let other = folder.path(name + "-load")
            try recording.loadLines().write(to: folder.url.appending(path: "lines"))
            #expect(try load(folder.path("lines"), into: other) == [], "\(name)")
            #expect(try lines(of: other).sorted() == expected, "\(name)")
        }
    }

    /// Closes all plays of a data directory, as an import does at its end.
    private func close(_ data: String, _ now: Int64) throws {
        let keeper = try DataKeeper(data, now: { now })
        defer { keeper.stop() }
        try keeper.folder.foldToEnd(closing: true)
    }

    /// - Returns: what could not be taken.
    private func load(_ file: String, into data: String) throws -> [String] {
        let keeper = try DataKeeper(data, now: { Self.noon })
        defer { keeper.stop() }
        var faults: [String] = []
        let importer = Importer(committer: keeper.committer, receivedAt: nil, now: { Self.noon }) { _, reason in
            faults.append(reason)
        }
        try importer.load(file) { _, _ in }
        try keeper.folder.foldToEnd(closing: true)
        return faults
    }

    @Test("of an import close by its own times, however long its pauses are, and all at its end")
    func importing() throws {
        var file = ""
        for (number, start) in [0, 7_200_000, 10_800_000 as Int64].enumerated() {
            let states: [(String, Int64)] = [("s", 0), ("p", 400)]
            for (sn, state) in states.enumerated() {
                let time = Self.noon + start + state.1
                let report = #"sta=\#(state.0),sn=\#(2 * number + sn),ts=\#(time),sid=\"a\",cid=\"c\""#
                file += #"{"receivedAt":\#(time),"cmcd":"\#(report)"}"# + "\n"
            }
        }
        file += #"{"receivedAt":\#(Self.noon + 10_801_000),"cmcd":"nothing","query":"%zz"}"# + "\n"
        file += #"{"receivedAt":\#(Self.noon + 10_801_000),"cmcd":5}"# + "\n"
        file += #"{"receivedAt":\#(Self.noon + 10_801_000),"cmcd":"=","query":"cdn=x"}"# + "\n"
        try file.write(toFile: folder.path("lines"), atomically: false, encoding: .utf8)
        let result = try BuiltProgram("qoe").run(["load", "--any-time", "--data", data, folder.path("lines")])
        #expect(result.status == 65)
        #expect(result.errors.contains(":7: its query: ") && result.errors.contains(":8: A line with cmcd needs"))
        #expect(
            result.output.contains("3 new plays")
                && result.output.contains("6 reports of players, 1 lines that are none"))
        #expect(try plays("ended_by") == [["silence"], ["silence"], ["silence"]])
        let verify = try BuiltProgram("qoe").run(["verify", "--data", data])
        #expect(verify.status == 0 && verify.output.contains("reports: 1 files"))
        let report = try BuiltProgram("qoe").run(["report", "--data", data])
        #expect(report.output.contains("100 % of the plays ended by silence"))
    }
}
