import Foundation
import TestSupport
import Testing

@Suite("The largest numbers that the contract allows")
struct LargestSumsTests {
    private let folder: TemporaryFolder
    private let data: String
    private let qoe = BuiltProgram("qoe")

    private static let most: Int64 = 1 << 53
    /// So many accounts of 2⁵³ add up to more than 64 bits hold.
    private static let senders = 1_100
    private static let metrics = ["summary", "startup", "rebuffering", "failures", "sessions", "delivery", "quality"]

    /// Every counter of a sender at its end, alone and together; in sessions of one play, and in one of all, every number of a
    /// play at its end, with bytes and without.
    private static let requests: String = {
        let totals = [(most, 0, 0), (0, most, 0), (0, 0, most), (most, most, most)]
        let accounts = totals.enumerated().flatMap { kind, total in
            (0..<senders).map { number in
                #"{"sender":{"senderId":"s\#(kind)-\#(number)","sequence":\#(most),"made":\#(total.0),"#
                    + #""dropped":\#(total.1),"rejected":\#(total.2)},"events":[]}"#
            }
        }
        let ends =
            #""videoId":"v","startupMs":3600000,"watchedMs":86400000,"waitedMs":3600000,"memoryBytes":\#(most),"#
            + #""accessLogStartupMs":3600000,"attempt":100,"playerStalls":100000,"playerStalledMs":86400000,"error":"e""#
        let kinds = [
            #""stalls":100000,"stalledMs":86400000,"bytes":1099511627776,"avgBitrate":1000000000,"ageMs":\#(most)"#,
            #""stalls":0,"stalledMs":0,"avgBitrate":1000000000,"endedAt":9223372036854775807"#,
            #""stalls":100000,"stalledMs":0,"bytes":1099511627776,"endedAt":-9223372036854775808,"cdnRegion":"far""#,
        ]
        let plays = (0..<6).map { request in
            let events = (0..<1_000).map { position in
                let session = request % 2 == 0 ? "one" : "\(request)-\(position)"
                return "{\(ends),\(kinds[position % kinds.count]),\"sessionId\":\"\(session)\"}"
            }
            return #"{"sender":{"senderId":"p\#(request)","sequence":0,"made":1,"dropped":0,"rejected":0},"#
                + #""events":[\#(events.joined(separator: ","))]}"#
        }
        return (accounts + plays).joined(separator: "\n") + "\n"
    }()

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path("data")
        try Self.requests.write(toFile: folder.path("requests.ndjson"), atomically: false, encoding: .utf8)
        let load = try qoe.run([
            "load", "--data", data, "--received-at", "2026-11-29T12:00:00Z", folder.path("requests.ndjson"),
        ])
        #expect(load.status == 0, "\(load.errors)")
    }

    private func report(_ words: [String]) throws -> String {
        let result = try qoe.run(["report", "--data", data] + words)
        #expect(result.status == 0 && result.errors == "", "\(words): \(result.status) \(result.errors)")
        return result.output
    }

    private func cells(_ metric: String) throws -> [String: String] {
        let lines = try report(["--metric", metric, "--format", "csv"]).split(separator: "\r\n")
        let all = try #require(lines.last { $0.contains("(all)") })
        let values = [lines[0], all].map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        return Dictionary(uniqueKeysWithValues: zip(values[0], values[1]))
    }

    @Test("add up exactly, however many there are")
    func exact() throws {
        let sum = Int128(Self.most) * Int128(Self.senders)
        let delivery = try cells("delivery")
        #expect(delivery["senders"] == "4406")
        #expect(delivery["made"] == "\(2 * sum + 6)" && delivery["lost"] == "\(sum)")
        #expect(delivery["dropped"] == "\(2 * sum)" && delivery["rejected"] == "\(2 * sum)")
        #expect(delivery["arrived"] == "6000" && delivery["surplus"] == "5994")
        #expect(delivery["arrived_ratio"] == "0.000000")
        let rebuffering = try cells("rebuffering")
        #expect(rebuffering["watched_ms"] == "518400000000" && rebuffering["stalls"] == "400200000")
        let sessions = try cells("sessions")
        // Two plays of three say their bytes, the third's are estimated.
        #expect(sessions["bytes"] == "\(4_002 * (Int128(1) << 40) + 1_998 * 10_800_000_000_000)")
        #expect(sessions["estimated_bytes"] == "\(1_998 * Int128(10_800_000_000_000))")
        #expect(sessions["memory_p95_bytes"] == "\(Self.most)")
    }

    @Test("end no report, page, export, check or route")
    func everywhere() throws {
        let day = ["--from", "2026-11-29", "--to", "2026-11-29"]
        for format in ["table", "markdown", "csv", "json"] {
            for by in ["cdnRegion", "day,cdnRegion", "hour,errorCode", "network"] {
                let words = ["--metric", "all", "--by", by, "--format", format]
                let isForMachines = format == "csv" || format == "json"
                _ = try report(isForMachines ? words + ["--output", folder.path("\(format)-\(by)")] : words)
            }
        }
        for compare in ["rest", "previous"] { _ = try report(day + ["--metric", "all", "--compare", compare]) }
        #expect(try report(["--format", "html"]).contains("What arrived"))
        #expect(try report(day + ["--format", "html"]).contains("What arrived"))

        let export = try qoe.run(["export", "--data", data, "--output", folder.path("export")])
        #expect(export.status == 0, "\(export.errors)")
        try "plays > 0\ndata_per_session_mean_bytes > 0 by cdnRegion\n"
            .write(toFile: folder.path("levels"), atomically: false, encoding: .utf8)
        let check = try qoe.run(["check", "--data", data, "--slo", folder.path("levels"), "--day", "2026-11-29"])
        #expect(check.status == 0, "\(check.status) \(check.output)\(check.errors)")

        let server = try ServerProcess(data: data)
        for path in ["/"] + Self.metrics.flatMap({ ["/v1/reports/\($0).csv", "/v1/reports/\($0).json"] }) {
            #expect(try server.connect().get(path).status == 200, "\(path)")
        }
        #expect(try server.admin("/metrics").status == 200)
        #expect(server.stop() == 0)
        let verify = try qoe.run(["verify", "--data", data])
        #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
    }
}
