import Archive
import Foundation
import Ingest
import PlayFolding
import PlaybackEvents
import PlayStore
import TestSupport
import Testing

@Suite("Erasing somebody")
struct DataEraserTests {
    private let data: DataFolder
    private static let session = "viewer-0815/session"
    private static let target = ErasureTarget.session(Array(session.utf8))
    private static let hour: Int64 = 3_600_000

    init() throws {
        data = try DataFolder()
    }

    private static func id(_ number: Int) -> String {
        "0198f2d0-\(String(format: "%04x", number * 7919 % 65536))-7000-8abc-\(String(format: "%012x", number * 104_729 + 77))"
    }

    /// A play of somebody.
    private static func play(_ number: Int?, _ session: String, _ more: String = "", age: Int = 1_000) -> String {
        let identifier = number.map { #""playId":"\#(id($0))","# } ?? ""
        return
            #"{\#(identifier)"videoId":"v1","sessionId":"\#(session)","startupMs":400,"stalls":0,"stalledMs":0,"watchedMs":20000,"#
            + #""ageMs":\#(age)\#(more)}"#
    }

    private static func sender(_ sequence: Int, made: Int) -> String {
        #""sender":{"senderId":"phone","sequence":\#(sequence),"made":\#(made),"dropped":0,"rejected":0},"#
    }

    /// Others' plays by the hundred, so that hours get columns; those of the session among them, with and without an
    /// identifier, sent twice and with other figures; rejected events; and what a player reported.
    private func fill() throws {
        func others(_ range: Range<Int>) -> String {
            range.map { Self.play($0, "other-\($0 / 3)", #","cdnRegion":"eu-\#($0 % 3)""#) }.joined(separator: ",")
        }
        let first = """
            {\(Self.sender(1, made: 305)) "events":[\(others(0..<150)),\(Self.play(900, Self.session, #","cdn":"only-mine""#)),
            {"sessionId":"\(Self.session)","videoId":7},{"sessionId":"other-1","videoId":7},
            \(Self.play(nil, Self.session)),\(others(150..<300))]}
            """
        try data.receive(first, .number(1))
        // Sent again, and once with another figure, in a request with others' plays.
        let again = """
            {\(Self.sender(2, made: 310)) "events":[\(Self.play(900, Self.session, #","cdn":"only-mine""#, age: 2_000)),\(Self.play(1, "other-0")),
            \(Self.play(900, Self.session, #","waitedMs":5"#, age: 2_000)),\(Self.play(901, Self.session, age: 2_000))]}
            """
        try data.receive(again, .number(2, at: DataFolder.morning + 1_000))
        try data.receive(
            #"{"context":{"sessionId":"\#(Self.session)"},"events":[3,\#(event())]}"#,
            .number(3, at: DataFolder.morning + 2 * Self.hour))
        // Closes the hour.
        try data.receive(
            #"{"events":[\#(Self.play(500, "other-500"))]}"#, .number(4, at: DataFolder.morning + 5 * Self.hour))
        try data.open { keeper in
            var lines = LogLines(receivedAt: DataFolder.morning)
            for (number, sid) in [Self.session, "other-1", Self.session].enumerated() {
                var line = ReportLine(
                    receivedAt: DataFolder.morning + Int64(number) * 1_000,
                    requestId: Identifier128(high: 9, low: UInt64(number)))
                line.reports = [CMCDReport(ts: DataFolder.morning, sid: Array(sid.utf8), cid: Array("c".utf8))]
                if number == 2 {
                    line.reports.append(
                        CMCDReport(ts: DataFolder.morning, sid: Array("other-2".utf8), cid: Array("c".utf8)))
                }
                line.append(to: &lines.reports)
            }
            try keeper.committer.commit(lines)
            try keeper.follower.followToEnd()
        }
    }

    @discardableResult
    private func erase(_ target: ErasureTarget = target) throws -> String {
        try data.open { keeper in
            try keeper.follower.followToEnd()
            return try DataEraser(keeper).run(EraseFolder.Request(target))
        }
    }

    private func expectGone(_ texts: [String] = [session, id(900), id(901), "only-mine"]) throws {
        #expect(try FolderSearch.files(of: data.paths.root, with: texts) == [])
    }

    private func expectSound(_ when: String = "") throws {
        let found = try DataVerifier(data.paths, sleep: { _ in }).verify().findings
        #expect(found == [], "\(when)")
    }

    /// What reports may say, in an order of its own.
    private func tables() throws -> [[[String]]] {
        try [
            "SELECT * FROM plays ORDER BY arrival", "SELECT * FROM accounts ORDER BY account",
            "SELECT account, stored, contexts IS NULL FROM sender_accounts ORDER BY account",
            "SELECT * FROM repeats ORDER BY hour", "SELECT * FROM rejections ORDER BY hour, code",
            "SELECT hour, plays, last_arrival, last_received_at FROM hours ORDER BY hour",
            "SELECT arrivals, accounts, loaded, duplicates, conflicts, unloadable, pruned FROM totals",
            "SELECT hex(play_id), hour FROM receipt_dated_plays ORDER BY 1",
        ].map { try data.rows($0) }
    }

    @Test("takes their plays from everything, down to the bytes, and leaves all else as it was")
    func everything() throws {
        try fill()
        try expectSound("before")
        let before = try tables()
        let sizes = try LogKind.allCases.map {
            try FileManager.default.attributesOfItem(atPath: data.file(1, of: $0))[.size] as? Int
        }
        #expect(try data.rows("SELECT column_plays FROM hours WHERE column_plays > 0").isEmpty == false)
        let report = try erase()
        #expect(report.hasPrefix("erased 6 plays: 4 rows of the store, 6 lines in 1 file of the archive"), "\(report)")
        try expectGone()
        try expectSound("after")
        let after = try tables()
        #expect(after[0] == before[0].filter { $0[3] != Self.session })
        #expect(after[1] == before[1])
        #expect(after[4] == before[4])
        #expect(after[6] == [["308", "2", "301", "1", "1", "0", "0"]])
        #expect(
            try LogKind.allCases.map {
                try FileManager.default.attributesOfItem(atPath: data.file(1, of: $0))[.size] as? Int
            } == sizes)
        // What arrived with the accounts stays.
        #expect(after[2].map { $0[1] } == before[2].map { $0[1] })
        #expect(try data.lines(.reports).count == 3 && data.lines(.rejected).count == 3)
        #expect(try data.lines(.rejected).filter { $0.contains("other-1") }.count == 1)
        #expect(try data.rows("SELECT count(*) FROM play_columns") != [["0"]])
    }

    @Test("leaves a database that is the same as one that is made anew of the archive")
    func rebuilt() throws {
        try fill()
        try erase()
        let erased = try tables()
        try data.rebuild()
        #expect(try tables() == erased)
        try expectGone()
        try expectSound()
    }

    @Test("takes their plays from files that were compacted, too, and leaves every place where it was")
    func compacted() throws {
        try fill()
        try data.open { keeper in
            try keeper.committer.closeFiles()
            for kind in LogKind.allCases where kind != .rejected {
                let segment = try #require(try SegmentList(directory: data.paths.log(kind), kind: kind).segments.first)
                let outcome = try LogCompactor(keeper.directory, freeBytes: { _ in nil }).compact(segment)
                guard case .compacted = outcome else {
                    Issue.record("\(segment.label): \(outcome)")
                    continue
                }
            }
        }
        let report = try erase()
        #expect(report.hasPrefix("erased 6 plays: 4 rows of the store, 6 lines in 1 file of the archive"), "\(report)")
        try expectGone()
        try expectSound()
        let erased = try tables()
        try data.rebuild()
        #expect(try tables() == erased)
        try expectGone()
    }

    @Test("takes no other's play of a request whose plays have no identifiers, and counts what is left rightly")
    func unnamed() throws {
        let plays = ["other-1", Self.session, "other-2", Self.session].map { Self.play(nil, $0) }
        let sender = Self.sender(1, made: 4)
        try data.receive(#"{\#(sender)"events":[\#(plays.joined(separator: ","))]}"#, .number(1))
        try data.open { keeper in try keeper.follower.followToEnd() }
        #expect(try erase().hasPrefix("erased 2 plays: 2 rows of the store, 2 lines in 1 file of the archive"))
        let left = try data.rows("SELECT session_id FROM plays ORDER BY arrival")
        #expect(left == [["other-1"], ["other-2"]])
        try expectSound()
        let erased = try tables()
        try data.rebuild()
        #expect(try tables() == erased)
    }

    @Test("that was done but for the answer is answered by the next start, whatever of it is gone")
    func answered() throws {
        try fill()
        let request = EraseFolder.Request(Self.target)
        let folder = EraseFolder(data.paths)
        let report = try data.open { keeper in
            try keeper.follower.followToEnd()
            try folder.add(request)
            return try DataEraser(keeper).run(request)
        }
        #expect(try folder.text(request.id, .done) == report)
        #expect(try folder.ids(.request).isEmpty && folder.ids(.plan).isEmpty && folder.ids(.lines).isEmpty)
        // As a crash leaves it between the removal of its parts and the answer.
        try folder.write("", request.id, .lines)
        try data.open { _ in }
        try expectGone()
    }

    @Test("by one play, or by a tag, takes just those")
    func others() throws {
        let tagged = #","tags":{"viewer":"47/11","arm":"a"}"#
        try data.receive(
            """
            {"events":[\(Self.play(1, "s1", tagged)),\(Self.play(2, "s1")),\(Self.play(3, "s2", #","tags":{"viewer":"48"}"#)),
            {"tags":{"viewer":"47/11"}},\(Self.play(4, "s3", tagged))]}
            """, .number(1))
        try erase(.play(Identifier128(uuidText: Self.id(2)) ?? .init(high: 0, low: 0)))
        #expect(
            try data.rows("SELECT play_id FROM plays ORDER BY 1")
                == [1, 3, 4].map { [Self.id($0)] }.sorted { $0[0] < $1[0] })
        try erase(.tag(name: Array("viewer".utf8), value: Array("47/11".utf8)))
        #expect(try data.rows("SELECT play_id FROM plays") == [[Self.id(3)]])
        try expectGone([Self.id(1), Self.id(2), Self.id(4), "47/11"])
        try expectSound()
    }

    @Test("keeps them from coming back by a resend, a replay, or plays made anew of reports")
    func comingBack() throws {
        try fill()
        try erase()
        try data.open { keeper in
            let file = data.folder.path("lines")
            let body = #"{"events":[\#(Self.play(900, Self.session)),{"sessionId":"\#(Self.session)"}]}"#
            let report =
                #"{"receivedAt":\#(DataFolder.morning),"cmcd":"sta=p,ts=\#(DataFolder.morning),sid=\"\#(Self.session)\",cid=\"c\""}"#
            try "\(body)\n\(report)\n".write(toFile: file, atomically: true, encoding: .utf8)
            let importer = Importer(
                committer: keeper.committer, receivedAt: DataFolder.morning, tombstones: keeper.erased.tombstones,
                now: { DataFolder.morning }
            ) { _, reason in Issue.record("\(reason)") }
            try importer.load(file) { _, _ in }
            #expect(importer.counts.erased == 3)
            #expect(try QuarantineReplay(keeper, code: nil).run().erased == 2)
            try keeper.folder.foldToEnd(closing: true)
            try keeper.follower.followToEnd()
        }
        #expect(try tables()[0].filter { $0[3] == Self.session } == [])
        try expectGone()
    }

    @Test("keeps an older copy of the archive from bringing them back, as long as the newer folder erase/ is there")
    func olderCopy() throws {
        try fill()
        let copy = data.folder.path("copy")
        try FileManager.default.copyItem(atPath: data.paths.archive, toPath: copy)
        try erase()
        let erased = try tables()
        try FileManager.default.removeItem(atPath: data.paths.archive)
        try FileManager.default.copyItem(atPath: copy, toPath: data.paths.archive)
        try data.rebuild()
        #expect(try tables()[0] == erased[0])
        try expectSound()
        let into = data.folder.path("again")
        var fold = FoldAgain(data.paths)
        _ = try fold.run(into: into)
        #expect(try FolderSearch.files(of: into, with: [Self.session, Self.id(900), Self.id(901)]) == [])
        // Erased once more, the copy is clean as well.
        try erase()
        try expectGone()
        try expectSound()
    }

    @Test("changes nothing when it only counts")
    func dryRun() throws {
        try fill()
        func contents() throws -> [String: Data] {
            var contents: [String: Data] = [:]
            for path in try FileManager.default.subpathsOfDirectory(atPath: data.paths.root)
            where !path.hasSuffix("-shm") && !path.hasSuffix("-wal") {
                contents[path] = try? Data(contentsOf: URL(fileURLWithPath: data.paths.root + "/" + path))
            }
            return contents
        }
        let before = try contents()
        let text = try DataEraser.count(Self.target, in: data.paths, store: EmbeddedChoice())
        #expect(text.contains("erased 6 plays: 4 rows of the store, 6 lines in 1 file of the archive"), "\(text)")
        #expect(try contents() == before)
    }

    @Test("finds nobody in a directory that has nothing of them, and says so")
    func nobody() throws {
        try fill()
        let before = try tables()
        let report = try erase(.session(Array("nobody".utf8)))
        #expect(report.hasPrefix("erased 0 plays: 0 rows of the store, 0 lines in 0 files of the archive"))
        #expect(try tables() == before)
        try expectSound()
    }

    @Test("names events of which nobody can tell whose they are")
    func unjudged() throws {
        let long = #"{"source":"\#(String(repeating: "x", count: 5_000))"}"#
        try data.receive(#"{"context":\#(long),"events":[3]}"#, .number(8))
        let report = try erase()
        #expect(report.contains("event 0 of request 00000000000000070000000000000008 in the quarantine"))
        #expect(try data.lines(.rejected).first?.contains("\"raw\"") == true)
    }

    @Test("beside a server is carried out within seconds, and what is sent of them again is answered and not kept")
    func server() throws {
        let running = try RunningServer()
        let connection = try running.connect()
        let path = "/v1/playback-events"
        let body = "{\"events\":[\(Self.play(900, Self.session)),\(Self.play(1, "other"))]}"
        #expect(try connection.post(path, Array(body.utf8)).status == 202)
        try running.server.waitForFollower()
        let paths = DataPaths(running.data)
        let request = EraseFolder.Request(Self.target)
        let folder = EraseFolder(paths)
        try folder.add(request)
        try waitUntil("the server to erase") { try folder.text(request.id, .done) != nil }
        #expect(try folder.text(request.id, .done)?.hasPrefix("erased 1 play: 1 row of the store") == true)
        let again = try connection.post(path, Array(body.utf8))
        #expect(again.status == 202 && again.text.contains(#""accepted":2"#))
        try running.server.waitForFollower()
        #expect(try FolderSearch.files(of: running.data, with: [Self.session, Self.id(900)]) == [])
        let metrics = try running.connectToAdmin().get("/metrics").text
        #expect(metrics.contains("qoe_events_erased_total 1\n") && metrics.contains("qoe_plays_erased_total 1\n"))
        #expect(running.log.text.contains("plays erased") && !running.log.text.contains(Self.session))
    }
}
