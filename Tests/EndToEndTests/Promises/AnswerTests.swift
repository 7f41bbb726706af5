import Foundation
import Testing
import TestSupport

@Suite("The answers of a server")
struct AnswerTests {
    private let folder: TemporaryFolder
    private let good = SampleBatch.body(ids: ["00000000-0000-4000-8000-000000000001"])

    init() throws {
        folder = try TemporaryFolder()
    }

    private func server(_ options: String...) throws -> ServerProcess {
        try ServerProcess(data: folder.path("data"), options: options)
    }

    @Test("carry the CORS headers for an allowed origin, errors too, and text/plain needs no preflight")
    func cors() throws {
        try "k 0123456789abcdef\n".write(toFile: folder.path("keys"), atomically: true, encoding: .utf8)
        let server = try server("--cors-origin", "https://a.example", "--write-keys", folder.path("keys"))
        let large = String(repeating: " ", count: 1 << 20) + good
        let posts: [(Int, String, String, [String: String])] = [
            (202, "?key=0123456789abcdef", good, ["Content-Type": "text/plain;charset=UTF-8"]),
            (400, "?key=0123456789abcdef", "{", [:]), (401, "", good, [:]), (403, "?key=0123456789abcdeX", good, [:]),
            (404, "/more", good, [:]), (413, "?key=0123456789abcdef", large, [:]),
            (415, "?key=0123456789abcdef", good, ["Content-Type": "image/png"]),
        ]
        for (status, query, body, fields) in posts {
            let origin = ["Origin": "https://a.example"].merging(fields) { $1 }
            let answer = try server.post(body, to: ServerProcess.eventsPath + query, fields: origin)
            #expect(answer.status == status)
            #expect(answer.fields["access-control-allow-origin"] == "https://a.example", "\(status)")
            #expect(answer.fields["vary"] == "Origin")
            #expect(answer.fields["content-type"] == "application/json")
            let stranger = try server.post(
                body, to: ServerProcess.eventsPath + query,
                fields: fields.merging(["Origin": "https://b.example"]) { $1 })
            #expect(stranger.status == status && stranger.fields["access-control-allow-origin"] == nil)
        }
        let wrongMethod = try server.connect().get(ServerProcess.eventsPath, fields: ["Origin": "https://a.example"])
        #expect(wrongMethod.status == 405 && wrongMethod.fields["allow"] == "POST, OPTIONS")
        #expect(wrongMethod.fields["access-control-allow-origin"] == "https://a.example")
        let preflight = try server.connect()
        try preflight.send(
            "OPTIONS \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: x\r\nOrigin: https://a.example\r\n"
                + "Access-Control-Request-Method: POST\r\n\r\n")
        let allowed = try preflight.response()
        #expect(allowed.status == 204)
        #expect(allowed.fields["access-control-allow-headers"] == "authorization, content-encoding, content-type")
        #expect(allowed.fields["vary"] == "Origin")
    }

    @Test("are 415 for an unknown or stacked encoding and a wrong type, without a byte of the body")
    func types() throws {
        let server = try server()
        let body = good.replacingOccurrences(of: "v1", with: "seen-in-the-body")
        for fields in [
            ["Content-Encoding": "br"], ["Content-Encoding": "gzip, gzip"], ["Content-Encoding": "deflate"],
            ["Content-Type": "text/html"], ["Content-Type": "application/json; charset=latin1"],
        ] {
            let answer = try server.post(body, fields: fields)
            #expect(answer.status == 415 && !answer.text.contains("seen-in-the-body"), "\(fields)")
        }
        for fields in [["Content-Encoding": "GZIP"], ["Content-Encoding": "x-gzip"]] {
            #expect(try server.post(body, fields: fields).text.contains(#""error":"invalid_gzip""#))
        }
        for fields in [[:], ["Content-Encoding": "Identity"], ["Content-Type": "application/json; charset=utf-8"]] {
            #expect(try server.post(body, fields: fields).status == 202, "\(fields)")
        }
    }

    @Test("to three pipelined posts with a bad one in the middle are 202, 400, 202, in order")
    func pipelined() throws {
        let server = try server()
        let connection = try server.connect()
        let bodies = [good, #"{"events":[,]}"#, good]
        try connection.send(
            bodies.map {
                "POST \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: x\r\nContent-Length: \($0.utf8.count)\r\n\r\n\($0)"
            }.joined())
        #expect(try (0..<3).map { _ in try connection.response().status } == [202, 400, 202])
    }

    @Test("name the limit of size or count that a request is over, and let through what is just at it")
    func limits() throws {
        let server = try server()
        func padded(_ bytes: Int) -> String { good + String(repeating: " ", count: bytes - good.utf8.count) }
        func gzip(_ text: String) throws -> [UInt8] {
            try text.write(toFile: folder.path("body"), atomically: true, encoding: .utf8)
            _ = try BuiltProgram.run("gzip", ["-f", "-k", folder.path("body")])
            return Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("body.gz"))))
        }
        let gzipped = ["Content-Encoding": "gzip"]
        #expect(try server.post(padded(1 << 20)).status == 202)
        #expect(try server.post(gzip(padded(8 << 20)), fields: gzipped).status == 202)
        #expect(try server.post(SampleBatch.body(ids: (0..<1_000).map { _ in SampleBatch.newId() })).status == 202)
        let over: [(LoopbackConnection.Response, Int)] = [
            (try server.post(padded(1 << 20 + 1)), 1 << 20),
            (try server.post(gzip(padded(8 << 20 + 1)), fields: gzipped), 8 << 20),
            (try server.post(SampleBatch.body(ids: (0..<1_001).map { _ in SampleBatch.newId() })), 1_000),
        ]
        for (answer, limit) in over {
            #expect(answer.status == 413)
            #expect(answer.text.contains(#""error":"too_large""#) && answer.text.contains(#""limit":\#(limit)"#))
        }
        let chunked = try server.connect()
        try chunked.send("POST \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        let piece = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
        for _ in 0..<17 { try chunked.send(piece) }
        #expect(try chunked.response().status == 413)
        let expecting = try server.connect()
        try expecting.send(
            "POST \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1048577\r\n\r\n"
        )
        #expect(try expecting.response().status == 413)
    }

    @Test("are 429 with Retry-After for a key above its rate, and for no other key")
    func rate() throws {
        try "a 0123456789abcdef\nb fedcba9876543210\n".write(
            toFile: folder.path("keys"), atomically: true, encoding: .utf8)
        let server = try server("--rate-per-key", "10", "--write-keys", folder.path("keys"))
        func post(_ key: String, _ count: Int) throws -> LoopbackConnection.Response {
            try server.post(
                SampleBatch.body(ids: (0..<count).map { _ in SampleBatch.newId() }),
                fields: ["Authorization": "Bearer \(key)"])
        }
        // Ten seconds' worth at once, and a debt that takes longer to pay than this test.
        #expect(try post("0123456789abcdef", 900).status == 202)
        var times: Set<String> = []
        for _ in 0..<20 {
            let refused = try post("0123456789abcdef", 1)
            #expect(refused.status == 429)
            let seconds = try #require(refused.fields["retry-after"])
            #expect(Int(seconds) ?? 0 >= 70)
            times.insert(seconds)
        }
        #expect(times.count > 1)
        #expect(try post("fedcba9876543210", 10).status == 202)
        #expect(try server.metric(#"qoe_requests_refused_total{reason="rate"}"#) == 20)
        #expect(try server.metric("qoe_events_received_total") == 910)
    }

    @Test("are 503 and closed above the connections that it may have, while the admin listener goes on")
    func connections() throws {
        let server = try server("--max-connections", "3")
        let open = try (0..<3).map { _ in try server.connect() }
        try waitUntil("the connections") { try server.metric("qoe_connections") == 3 }
        let refused = try server.connect()
        let answer = try refused.response()
        #expect(answer.status == 503 && answer.fields["retry-after"] != nil)
        #expect(refused.isClosedByPeer())
        #expect(try server.admin("/healthz").status == 200)
        #expect(try open[0].post(ServerProcess.eventsPath, Array(good.utf8)).status == 202)
    }
}
