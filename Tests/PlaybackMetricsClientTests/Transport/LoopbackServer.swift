import Foundation
import PlaybackMetricsClient
import Testing

/// The server of `loopback_server.py`, in a process of its own that ends with this object.
final class LoopbackServer: @unchecked Sendable {
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
