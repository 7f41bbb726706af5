import Foundation
import PlaybackMetricsClient
import Testing

@Suite("The client over URLSession", .timeLimit(.minutes(1)))
struct URLSessionHTTPClientTests {
    private let server: LoopbackServer
    private let body = Data(#"{"events": []}"#.utf8)

    init() throws {
        server = try LoopbackServer()
    }

    @Test("posts the body as JSON, with the write key")
    func request() async throws {
        let response = try await server.client("/202", writeKey: "secret").post(body)
        #expect(response.status == 202)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"accepted": 1, "rejected": []}"#)
        let request = try #require(try await server.requests().first)
        #expect(request.method == "POST")
        #expect(request.path == "/202")
        #expect(request.body == #"{"events": []}"#)
        #expect(request.fields["content-type"] == "application/json")
        #expect(request.fields["authorization"] == "Bearer secret")
    }

    @Test("sends no authorization without a key")
    func withoutKey() async throws {
        _ = try await server.client("/202").post(body)
        #expect(try await server.requests().first?.fields["authorization"] == nil)
    }

    @Test("says nothing of the device in its headers: neither its languages nor its systems")
    func headers() async throws {
        _ = try await server.client("/202").post(body)
        let fields = try #require(try await server.requests().first).fields
        #expect(fields["user-agent"] == "PlaybackMetrics")
        #expect(fields["accept-language"] == "*")
        let known: Set = ["host", "connection", "content-type", "content-length", "accept", "accept-encoding"]
        #expect(Set(fields.keys).subtracting(known) == ["user-agent", "accept-language"])
    }

    @Test("gives every status as it came", arguments: [200, 400, 401, 403, 404, 413, 500, 503])
    func statuses(_ status: Int) async throws {
        #expect(try await server.client("/\(status)").post(body).status == status)
    }

    @Test("gives Retry-After as it came, with the server's date")
    func retryAfter() async throws {
        let seconds = try await server.client("/429-seconds").post(body)
        #expect(seconds.retryAfter == "17")
        let date = try await server.client("/429-date").post(body)
        #expect(date.retryAfter == "Mon, 30 Nov 2026 12:00:20 GMT")
        #expect(date.date == "Mon, 30 Nov 2026 12:00:00 GMT")
    }

    @Test("follows no redirect", arguments: [301, 302, 303, 307, 308])
    func redirect(_ status: Int) async throws {
        #expect(try await server.client("/redirect-\(status)").post(body).status == status)
        #expect(try await server.requests().map(\.path) == ["/redirect-\(status)"])
    }

    @Test("throws when no whole response comes", arguments: ["/close", "/truncate", "/truncate-head", "/garbage"])
    func connections(_ path: String) async throws {
        let client = try server.client(path)
        await #expect(throws: (any Error).self) { try await client.post(body) }
        #expect(try await server.client("/202").post(body).status == 202)
    }

    @Test("throws what the system says when nobody listens, with its domain and code")
    func nobody() async throws {
        // Port 1 is nobody's here.
        let client = URLSessionHTTPClient(endpoint: try #require(URL(string: "http://127.0.0.1:1/")))
        let error = await #expect(throws: (any Error).self) { try await client.post(body) }.map { $0 as NSError }
        #expect(error?.domain == NSURLErrorDomain && error?.code == -1004)
    }

    @Test("throws at its deadline, whatever the server does", arguments: ["/hang", "/hang-in-body"])
    func deadline(_ path: String) async throws {
        let clock = ManualClock()
        let client = try server.client(path, clock: clock)
        let response = Task { try await client.post(body) }
        await clock.untilSleeping()
        #expect(clock.untilNext == .seconds(30))
        clock.advance(by: .seconds(30))
        await #expect(throws: URLSessionHTTPClient.Failure.deadline) { try await response.value }
    }

    @Test("comes back from a demand for a password, which it does not have", arguments: ["/basic", "/digest"])
    func authentication(_ path: String) async throws {
        // Apple's systems give the response, Linux an error; without a refusal it would wait for ever.
        let response = Task { try await server.client(path).post(body) }
        switch await response.result {
        case .success(let response): #expect(response.status == 401)
        case .failure(let error): #expect(!(error is URLSessionHTTPClient.Failure))
        }
    }

    @Test("goes on after any number of requests that were lost")
    func renewed() async throws {
        let clock = ManualClock()
        let client = try server.client("/hang-unless-ready", clock: clock)
        for _ in 0..<20 {
            let response = Task { try await client.post(body) }
            await clock.untilSleeping()
            clock.advance(by: .seconds(30))
            await #expect(throws: URLSessionHTTPClient.Failure.deadline) { try await response.value }
        }
        _ = try await server.client("/ready").post(body)
        // In the old session it would wait for a place until the system gives the lost ones up, half a minute later.
        let began = ContinuousClock.now
        #expect(try await client.post(body).status == 202)
        #expect(began.duration(to: .now) < .seconds(15))
    }

    @Test("keeps no cookie")
    func cookies() async throws {
        let client = try server.client("/cookie")
        for _ in 0..<2 { _ = try await client.post(body) }
        #expect(try await server.requests().allSatisfy { $0.fields["cookie"] == nil })
    }

    @Test("carries many requests at once")
    func concurrent() async throws {
        let client = try server.client("/202")
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 { group.addTask { try? await client.post(body).status } }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 202, count: 50))
    }

    @Test("is gone when it is released, and a request under way still answers")
    func released() async throws {
        weak var gone: URLSessionHTTPClient?
        let response: HTTPClientResponse
        do {
            let client = try server.client("/202")
            gone = client
            response = try await client.post(body)
        }
        #expect(response.status == 202)
        while gone != nil { await Task.yield() }
    }

    @Test("brings a sender's plays to the server")
    func sender() async throws {
        let bench = SenderBench(try server.client("/202"))
        bench.record(0..<250)
        await bench.sender.flush()
        #expect(bench.sender.stats.delivered == 250)
        let sent = try await server.requests().map { try SentBody(Data($0.body.utf8)) }
        #expect(sent.flatMap { $0.events.map(\.number) } == Array(0..<250))
    }
}

/// The server of `loopback_server.py`, in a process of its own that ends with this object.
private final class LoopbackServer: @unchecked Sendable {
    struct Request: Decodable {
        var method: String
        var path: String
        var fields: [String: String]
        var body: String
    }

    private let process = Process()
    private let input = Pipe()
    private let port: Int

    init() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "loopback_server.py")
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        port = try #require(Int(String(decoding: line, as: UTF8.self)), "python3 must be installed for this test")
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func url(_ path: String) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
    }

    /// A client of one path, whose deadline goes by `clock`.
    func client(
        _ path: String, writeKey: String? = nil, clock: any SenderClock = SystemSenderClock()
    ) throws -> URLSessionHTTPClient {
        try URLSessionHTTPClient(endpoint: url(path), writeKey: writeKey, clock: clock)
    }

    /// All requests that came so far.
    func requests() async throws -> [Request] {
        try JSONDecoder().decode([Request].self, from: await client("/seen").post(Data()).body)
    }
}
