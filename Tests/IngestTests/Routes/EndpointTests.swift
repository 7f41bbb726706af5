import Foundation
import Ingest
import Testing
import TestSupport

@Suite("The endpoint")
struct EndpointTests {
    private static let path = "/v1/playback-events"
    private static let bearer = ["Authorization": "Bearer wwwwwwwwwwwwwwww"]
    private static let page = "https://player.example"

    private func running(_ configure: (inout IngestConfiguration) -> Void = { _ in }) throws -> RunningServer {
        try RunningServer(now: { 1_795_953_600_000 }) { configuration, folder in
            configuration.writeKeyFile = folder.path("writers")
            configuration.readKeyFile = folder.path("readers")
            try Data("ios wwwwwwwwwwwwwwww\nweb vvvvvvvvvvvvvvvv".utf8).write(to: folder.url.appending(path: "writers"))
            try Data("grafana rrrrrrrrrrrrrrrr".utf8).write(to: folder.url.appending(path: "readers"))
            configure(&configuration)
        }
    }

    @Test(
        "answers 401 and 403 from the head, closes, and looks at nothing that follows",
        arguments: [("POST /v1/playback-events", 401), ("POST /v1/playback-events?key=another", 403), ("GET /", 401)])
    func unauthorized(line: String, status: Int) throws {
        let running = try running()
        let connection = try running.connect()
        let batch = SampleBatch.body(ids: [SampleBatch.newId()])
        let next =
            "POST \(Self.path)?key=wwwwwwwwwwwwwwww HTTP/1.1\r\nHost: x\r\nContent-Length: \(batch.utf8.count)\r\n\r\n"
        let before = ContinuousClock.now
        try connection.send("\(line) HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n\(next)\(batch)")
        let answer = try connection.response()
        #expect(answer.status == status && answer.fields["connection"] == "close")
        #expect(connection.isClosedByPeer())
        // The body of 100,000 bytes never came to its end.
        #expect(ContinuousClock.now - before < .seconds(10))
        let metrics = try running.connectToAdmin().get("/metrics").text
        #expect(metrics.contains("qoe_events_received_total 0\n"))
    }

    @Test("charges the rate of a key for bodies that are no request at all")
    func charged() throws {
        let running = try running { $0.eventsPerSecondPerKey = 1 }
        let connection = try running.connect()
        func statuses(_ body: [UInt8], _ fields: [String: String]) throws -> [Int] {
            try (0..<34).map { _ in
                try connection.post(Self.path, body, fields: fields.merging(Self.bearer) { $1 }).status
            }
        }
        // gzip that is no JSON: the empty text.
        let empty: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let answers = try statuses(empty, ["Content-Encoding": "gzip"])
        #expect(answers.prefix(10) == Array(repeating: 400, count: 10)[...])
        #expect(answers.suffix(20) == Array(repeating: 429, count: 20)[...])
        // Another key has a rate of its own, and larger bodies cost more.
        let large = Array(repeating: UInt8(ascii: "x"), count: 200_000)
        let others = try (0..<3).map { _ in
            try connection.post(Self.path, large, fields: ["Authorization": "Bearer vvvvvvvvvvvvvvvv"]).status
        }
        #expect(others == [400, 429, 429])
    }

    @Test("lets pages send credentials along to itself alone, and says so in errors too", arguments: ["*", page])
    func credentials(allowed: String) throws {
        let running = try running { $0.corsOrigins = [allowed] }
        let connection = try running.connect()
        let origin = ["Origin": Self.page]
        let fields = origin.merging(Self.bearer) { $1 }
        let preflight =
            "OPTIONS \(Self.path) HTTP/1.1\r\nHost: x\r\nOrigin: \(Self.page)\r\n"
            + "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n\r\n"
        try connection.send(preflight)
        let leave = try connection.response()
        #expect(leave.status == 204 && leave.fields["access-control-max-age"] == "86400")
        #expect(leave.fields["access-control-allow-headers"] == "authorization, content-encoding, content-type")
        var answers = [leave]
        for (body, more) in [
            (SampleBatch.body(ids: [SampleBatch.newId()]), [:]), ("{", [:]), ("", ["Content-Type": "text/html"]),
            (String(repeating: " ", count: (1 << 20) + 1), [:]),
        ] {
            let connection = try running.connect()
            answers.append(try connection.post(Self.path, Array(body.utf8), fields: fields.merging(more) { $1 }))
        }
        answers.append(try running.connect().post(Self.path, [], fields: origin))
        #expect(answers.map(\.status) == [204, 202, 400, 415, 413, 401])
        for answer in answers {
            #expect(answer.fields["access-control-allow-origin"] == Self.page)
            #expect(answer.fields["access-control-allow-credentials"] == "true")
            #expect(answer.fields["vary"] == "Origin")
        }
        let report = ["Authorization": "Bearer rrrrrrrrrrrrrrrr", "Origin": Self.page]
        for path in ["/v1/reports/summary.csv", "/v1/reports/none.csv", "/"] {
            let answer = try running.connect().get(path, fields: report)
            #expect(answer.fields["access-control-allow-origin"] == allowed)
            #expect(answer.fields["access-control-allow-credentials"] == nil)
            #expect(answer.fields["vary"] == "Origin")
        }
        let foreign = try running.connect().post(
            Self.path, [], fields: ["Origin": "https://elsewhere.example"].merging(Self.bearer) { $1 })
        #expect((foreign.fields["access-control-allow-origin"] == nil) == (allowed != "*"))
    }
}
