import Foundation
import Testing
import TestSupport

@Suite("The configuration of a server")
struct ServeConfigurationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try "app 0123456789abcdef\n".write(toFile: folder.path("keys"), atomically: true, encoding: .utf8)
        try "timeout nobody\n".write(toFile: folder.path("classes"), atomically: true, encoding: .utf8)
        try "app short\n".write(toFile: folder.path("short-keys"), atomically: true, encoding: .utf8)
    }

    /// A server that can't start: its exit code and the one line that it leaves.
    private func refusal(
        _ options: [String], environment: [String: String] = [:]
    ) throws -> (status: Int32, line: String) {
        let fixed = ["serve", "--data", folder.path("data"), "--admin-listen", "127.0.0.1:0"]
        let listens = options.contains("--listen") || environment["QOE_LISTEN"] != nil
        let words = fixed + (listens ? [] : ["--listen", "127.0.0.1:0"]) + options
        let result = try BuiltProgram("qoe").run(words, environment: environment)
        let lines = result.errors.split(separator: "\n").filter { !$0.hasPrefix("{") }
        #expect(lines.count == 1 && result.output.isEmpty, "\(result.errors)")
        return (result.status, String(lines.first ?? ""))
    }

    @Test(
        "that is wrong is named in one line, with what would be right",
        arguments: [
            (["--listen", "localhost"], 64, "--listen \"localhost\" should be ADDRESS:PORT"),
            (["--listen", "127.0.0.1:65536"], 64, "should be ADDRESS:PORT"),
            (["--listen", "[::1:80"], 64, "should be ADDRESS:PORT"),
            (["--listen", "203.0.113.1:0", "--allow-anonymous"], 78, "can't bind to 203.0.113.1 port 0: "),
            (["--listen", "0.0.0.0:0"], 78, "there are no write keys"),
            (
                ["--trusted-proxy", "10.0.0.0/33"], 64,
                "--trusted-proxy \"10.0.0.0/33\" should be an address or a range"
            ),
            (["--region-header", "X-Region"], 64, "--region-header is only believed from a --trusted-proxy"),
            (["--region-header", "X Region", "--trusted-proxy", "::1"], 64, "should be the name of a header"),
            (["--cors-origin", "player.example"], 64, "should be like https://player.example"),
            (["--cors-origin", "https://player.example/"], 64, "without a path"),
            (["--rate-per-key", "0"], 64, "should be a whole number, 1 to 1000000000"),
            (["--max-connections", "513"], 64, "1 to 512"),
            (["--max-lag-bytes", "1"], 64, "from 1048576"),
            (["--node", "a/b"], 64, "--node \"a/b\" should be 1 to 32 letters"),
            (["--write-keys", "/nonexistent"], 78, "/nonexistent: No such file or directory"),
            (["--webhook", "https://hooks.example/x"], 64, "name a file of them with --slo"),
            (["--webhook", "hooks.example/secret"], 64, "--webhook: the URL should be http:// or https://"),
            (["--webhook", "https://[::1]/x"], 64, "with https an IPv6 address needs a name"),
            (["--slo", "/nonexistent"], 78, "the service levels in /nonexistent: it can't be read"),
            (["--public-url", "qoe.example.com"], 64, "should be like https://qoe.example.com"),
            (["--lisen", ":0"], 64, "did you mean --listen?"),
        ])
    func wrong(options: [String], status: Int32, words: String) throws {
        let refusal = try refusal(options)
        #expect(refusal.status == status)
        #expect(refusal.line.hasPrefix("qoe: ") && refusal.line.contains(words), "\(refusal.line)")
    }

    @Test(
        "that is wrong in the environment names the variable",
        arguments: [
            (["QOE_LISTEN": "8080"], "QOE_LISTEN is \"8080\": it should be ADDRESS:PORT"),
            (["QOE_TRUSTED_PROXY": "::1,nonsense"], "QOE_TRUSTED_PROXY is \"nonsense\": it should be"),
            (["QOE_CORS_ORIGIN": "https://a.example,b"], "QOE_CORS_ORIGIN is \"b\": it should be"),
            (["QOE_NODE": "a/b"], "QOE_NODE is \"a/b\": it should be 1 to 32 letters"),
            (["QOE_RATE_PER_KEY": "fast"], "QOE_RATE_PER_KEY is \"fast\": it should be"),
            (["QOE_ALLOW_ANONYMOUS": "maybe"], "QOE_ALLOW_ANONYMOUS is \"maybe\": it should be yes or no"),
        ])
    func wrongEnvironment(environment: [String: String], words: String) throws {
        let refusal = try refusal([], environment: environment)
        #expect(refusal.status == 78)
        #expect(refusal.line.contains(words), "\(refusal.line)")
    }

    @Test("names the line of a bad key file, and no key")
    func keyFile() throws {
        let refusal = try refusal(["--write-keys", folder.path("short-keys")])
        #expect(refusal.status == 78 && refusal.line.contains("line 1: the key is shorter than 16 characters"))
        #expect(!refusal.line.contains("app short"))
    }

    @Test("names the line of a bad table of error classes")
    func errorClasses() throws {
        let refusal = try refusal([], environment: ["QOE_ERROR_CLASSES": folder.path("classes")])
        #expect(refusal.status == 78)
        #expect(refusal.line.contains("line 1 of the error classes should be CODE CLASS"), "\(refusal.line)")
        #expect(try self.refusal(["--error-classes", "/nonexistent"]).status == 78)
    }

    @Test("asks for write keys beside read keys, on loopback too, and says why")
    func readKeysAlone() throws {
        let refusal = try refusal(["--read-keys", folder.path("keys")])
        #expect(refusal.status == 78)
        #expect(
            refusal.line.contains("there are no write keys, and there are read keys: set --write-keys"),
            "\(refusal.line)")
        #expect(!refusal.line.contains("loopback"))
    }

    @Test("takes IPv6 addresses wherever it takes addresses")
    func addresses() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: BuiltProgram("qoe").path)
        process.arguments = [
            "serve", "--data", folder.path("data"), "--listen", "[::1]:0", "--admin-listen", "[::1]:0",
            "--trusted-proxy", "::1", "--region-header", "X-Region",
        ]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.runWithSignals()
        defer { process.terminate() }
        var text = ""
        while text.filter({ $0 == "\n" }).count < 2 {
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "it ended: \(text)")
            text += String(decoding: data, as: UTF8.self)
        }
        let lines = text.split(separator: "\n")
        let position = try #require(lines.first?.firstMatch(of: /http:\/\/\[::1\]:\d+/)).output
        #expect(lines[1].contains("http://[::1]:"))
        let post = [
            "--silent", "--globoff", "--header", "X-Region: pop-6", "--header", "Content-Type: application/json",
            "--data", SampleBatch.body(ids: [SampleBatch.newId()]), "\(position)/v1/playback-events",
        ]
        #expect(try BuiltProgram.run("curl", post).output == #"{"accepted":1,"rejected":[]}"#)
        try waitUntil("the region of the proxy") {
            try BuiltProgram.run("curl", ["--silent", "--globoff", "\(position)/v1/reports/summary.csv"]).output
                .contains("pop-6")
        }
    }

    @Test("waits for a data directory that is let go of a moment later")
    func lockedForAMoment() throws {
        let server = try ServerProcess(data: folder.path("data"))
        // It begins beside the server, which has the directory until then.
        Thread.detachNewThread { [pid = server.pid] in
            usleep(300_000)
            kill(pid, SIGTERM)
        }
        let next = try ServerProcess(data: folder.path("data"))
        #expect(next.isRunning && next.pid != server.pid)
        #expect(try next.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202)
    }

    @Test("says that a port is taken, and by a server on the same data directory which process it is")
    func taken() throws {
        let server = try ServerProcess(data: folder.path("other"))
        let port = try refusal(["--listen", "127.0.0.1:\(server.port)"])
        #expect(port.status == 75 && port.line.contains("Address already in use"))
        let result = try BuiltProgram("qoe").run([
            "serve", "--data", folder.path("other"), "--listen", ":0", "--admin-listen", ":0",
        ])
        #expect(result.status == 75 && result.errors.contains("process \(server.pid)"))
    }

    @Test("is the same by options and by the environment, and an option goes before its variable")
    func environment() throws {
        let variables = [
            "QOE_WRITE_KEYS": folder.path("keys"), "QOE_REGION_HEADER": "X-Region,X-Pop",
            "QOE_TRUSTED_PROXY": "::1,127.0.0.0/8", "QOE_CORS_ORIGIN": "https://a.example,https://b.example",
            "QOE_NODE": "east", "QOE_MAX_CONNECTIONS": "3", "QOE_ALLOW_ANONYMOUS": "no", "QOE_DATA": "/nonexistent",
            "QOE_RATE_PER_KEY": "1000",
        ]
        let server = try ServerProcess(data: folder.path("data"), environment: variables)
        let fields = ["Authorization": "Bearer 0123456789abcdef", "X-Pop": "pop-7", "Origin": "https://b.example"]
        let answer = try server.post(SampleBatch.body(ids: [SampleBatch.newId()]), fields: fields)
        #expect(answer.status == 202)
        #expect(answer.fields["access-control-allow-origin"] == "https://b.example")
        #expect(try server.post("{}").status == 401)
        try server.waitForFollower()
        #expect(server.stop() == 0)
        let report = try BuiltProgram("qoe").run(
            ["report", "--format", "csv"], environment: ["QOE_DATA": folder.path("data")])
        #expect(report.output.contains("pop-7"), "\(report.errors)")
        let days = try FileManager.default.contentsOfDirectory(atPath: folder.path("data/archive"))
            .filter { $0.hasPrefix("day=") }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("data/archive/\(days[0])"))
        #expect(files == ["plays-east-0000000001.ndjson.gz"])
    }
}
