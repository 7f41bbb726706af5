import Foundation
import Testing
import TestSupport

@Suite("The counters of a server")
struct CountingTests {
    @Test("add up after a mixed load: nothing is judged away in silence")
    func addUp() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.path("data"))
        let load = PlayLoad(eventsPerBatch: 20)
        let players = load.start(port: server.port, connections: 2)
        var random = SeededGenerator(seed: 4)
        var known: [String] = []
        var (events, rejected) = (0, 0)
        for _ in 0..<150 {
            var batch: [String] = []
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: batch.append("{}")
                case 1: batch.append(SampleBatch.event(nil, #""cdn":"\u0007""#))
                case 2: batch.append(SampleBatch.event(known.randomElement(using: &random) ?? SampleBatch.newId()))
                case 3: batch.append(SampleBatch.event(known.randomElement(using: &random), #""bytes":7"#))
                default:
                    known.append(SampleBatch.newId())
                    batch.append(SampleBatch.event(known[known.count - 1]))
                }
            }
            let bad = batch.count { $0 == "{}" || $0.contains("u0007") }
            let answer = try server.post(SampleBatch.body(batch))
            #expect(answer.status == (bad == batch.count ? 400 : 202))
            events += batch.count
            rejected += bad
            if events % 3 == 0 { #expect(try server.post(#"{"events":[{"videoId":1"#).status == 400) }
        }
        load.stop()
        #expect(players.wait(timeout: .now() + 30) == .success)
        try server.waitForFollower()
        events += load.acknowledged.count

        let metrics = try server.metrics()
        func value(_ name: String) -> Int { Int(metrics[name] ?? -1) }
        let byCode = metrics.filter { $0.key.hasPrefix("qoe_events_rejected_total{") }.values.reduce(0, +)
        #expect(value("qoe_events_received_total") == events)
        #expect(Int(byCode) == rejected)
        #expect(value("qoe_events_accepted_total") == events - rejected)

        let (loaded, duplicates) = (value("qoe_plays_loaded_total"), value("qoe_plays_duplicate_total"))
        let archived = try LogFolder(data: server.dataDirectory).lines().count { $0["videoId"] != nil }
        #expect(archived == events - rejected)
        #expect(archived == loaded + duplicates + value("qoe_lines_unloadable_total"))
        #expect(duplicates > 0 && value("qoe_plays_conflicting_total") > 0)
        #expect(try StoredPlays(data: server.dataDirectory).counts().count == loaded)

        #expect(value("qoe_quarantined_total") == rejected)
        #expect(try LogFolder(data: server.dataDirectory, "rejected").lines().count == rejected)
        #expect(value(#"qoe_requests_total{class="5xx"}"#) == 0)
        #expect(value("qoe_in_flight_bytes") == 0 && value("qoe_queue_bytes") == 0)
    }
}
