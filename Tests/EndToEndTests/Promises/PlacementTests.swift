import Foundation
import Testing
import TestSupport

@Suite("A play's time")
struct PlacementTests {
    @Test("follows the contract whatever the client's clock says, and unbelieved clocks are marked")
    func clientClocks() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.path("data"))
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        let (hour, day) = (3_600_000, 86_400_000)
        /// What is sent, how long before the receipt the play is placed, whether it is marked.
        let cases: [(String, before: Int, skewed: Bool)] = [
            (#""attempt":1"#, 0, false),
            (#""endedAt":\#(now - hour)"#, hour, false),
            (#""endedAt":\#(now + 60_000)"#, 0, false),
            (#""endedAt":\#(now + 2 * hour)"#, 0, true),
            (#""endedAt":\#(now + 3_650 * day)"#, 0, true),
            (#""endedAt":\#(now - 365 * day)"#, 0, true),
            (#""endedAt":0"#, 0, true),
            (#""endedAt":\#(now / 1_000)"#, 0, true),
            (#""ageMs":\#(hour)"#, hour, false),
            (#""ageMs":\#(40 * day)"#, 0, true),
            (#""ageMs":\#(hour),"endedAt":\#(now + 3_650 * day)"#, hour, false),
        ]
        let ids = cases.map { _ in SampleBatch.newId() }
        let events = zip(ids, cases).map { SampleBatch.event($0, $1.0) }
        #expect(try server.post(SampleBatch.body(events)).text.contains(#""accepted":\#(cases.count)"#))
        let bad = ["2026-02-30T00:00:00Z", "2026-11-29T24:00:00Z", "2026-11-29T10:00:00", "yesterday"]
        let rejected = try server.post(SampleBatch.body(bad.map { SampleBatch.event(nil, #""endedAt":"\#($0)""#) }))
        #expect(rejected.status == 400)
        #expect(rejected.text.components(separatedBy: #""code":"bad_format","field":"endedAt""#).count == bad.count + 1)
        try server.waitForFollower()

        let stored = try StoredPlays(data: server.dataDirectory)
        for (id, expected) in zip(ids, cases) {
            let play = try stored.play(id)
            let receivedAt = try #require(play["received_at"].flatMap { Int($0) })
            let endedAt = try #require(play["ended_at"].flatMap { Int($0) })
            // A believed clock names an instant, which the receipt follows by the time that the request took.
            let slack = expected.0.hasPrefix(#""endedAt""#) ? 30_000 : 0
            #expect(abs(receivedAt - endedAt - expected.before) <= slack, "\(expected)")
            #expect(play["clock_skewed"] == (expected.skewed ? "1" : "0"), "\(expected)")
        }
    }

    @Test(
        "adds up from hours to the day, on the days when clocks change and in zones that are odd",
        arguments: [
            ("Europe/Stockholm", "2026-10-25", 25), ("Europe/Stockholm", "2026-03-29", 23),
            ("Asia/Kathmandu", "2026-10-25", 24), ("UTC", "2026-10-25", 24), ("Australia/Lord_Howe", "2026-10-04", 24),
        ])
    func hours(zone: String, day: String, hours: Int) throws {
        let folder = try TemporaryFolder()
        let noon = try Date(day + "T12:00:00Z", strategy: .iso8601).timeIntervalSince1970
        // A play every ten minutes, over three days.
        let lines = (-216..<216).map { number in
            #"{"receivedAt":\#(Int(noon) * 1_000 + number * 600_000),"body":\#(SampleBatch.body([SampleBatch.event()]))}"#
        }
        try lines.joined(separator: "\n").write(toFile: folder.path("plays"), atomically: true, encoding: .utf8)
        let qoe = BuiltProgram("qoe")
        let (data, elsewhere) = (folder.path("data"), ["TZ": "Asia/Kathmandu"])
        #expect(
            try qoe.run(["load", "--any-time", "--data", data, folder.path("plays")], environment: elsewhere).status
                == 0)
        func plays(_ by: String) throws -> [(String, Int)] {
            let report = try qoe.run(
                ["report", "--data", data, "--day", day, "--time-zone", zone, "--by", by, "--format", "csv"],
                environment: elsewhere)
            #expect(report.status == 0, "\(report.errors)")
            let rows = report.output.components(separatedBy: "\r\n").filter { !$0.isEmpty }.map {
                $0.components(separatedBy: ",")
            }
            let column = try #require(rows[0].firstIndex(of: "plays"))
            return rows.dropFirst().map { ($0.joined(separator: ","), Int($0[column]) ?? -1) }
        }
        let byHour = try plays("hour").filter { !$0.0.contains("(all)") }
        let all = try #require(try plays("cdnRegion").last { $0.0.contains("(all)") })
        #expect(byHour.map(\.1).reduce(0, +) == all.1)
        let minutes = zone == "Australia/Lord_Howe" ? -30 : 0
        #expect(all.1 == hours * 6 + minutes / 10)
        #expect(byHour.count == hours || minutes != 0, "\(byHour)")
    }
}
