import Foundation
import TestSupport
import Testing

/// A real nginx with the sample configuration, a certificate of its own, in front of a port of this machine.
final class NginxEdge {
    static let host = "qoe.example.com"

    let port: Int
    private let sample: SampleConfigFolder
    private var process: BackgroundProcess?

    init(upstream: Int) throws {
        port = try BackgroundProcess.freePort()
        sample = try SampleConfigFolder("nginx")
        try sample.edit(
            "qoe-nginx.conf",
            [
                ("server 127.0.0.1:8080;", "server 127.0.0.1:\(upstream);"),
                ("listen 443 ssl http2;", "listen 127.0.0.1:\(port) ssl http2;"),
                ("    listen [::]:443 ssl http2;\n", ""),
                ("/etc/qoe/tls/fullchain.pem", sample.path("certificate.pem")),
                ("/etc/qoe/tls/privkey.pem", sample.path("key.pem")),
                ("proxy_set_header X-Edge-Region \"\";", "proxy_set_header X-Edge-Region \"eu-west\";"),
                ("/var/log/nginx/", sample.folder.path + "/"),
            ])
        try makeCertificate()
        try writeMainConfiguration()
        process = try BackgroundProcess(
            ["nginx", "-p", sample.folder.path, "-c", sample.path("nginx.conf")], output: sample.path("output"))
        try process?.waitForPort(port)
    }

    private func makeCertificate() throws {
        let words = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=\(Self.host)", "-addext", "subjectAltName=DNS:\(Self.host)", "-keyout", sample.path("key.pem"), "-out",
            sample.path("certificate.pem"),
        ]
        let result = try BuiltProgram.run("openssl", words)
        try #require(result.status == 0, "\(result.errors)")
    }

    /// What the distribution's own nginx.conf does around the files of conf.d.
    private func writeMainConfiguration() throws {
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { name in
            "    \(name)_temp_path \(sample.path(name));"
        }
        let text = """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off;
            worker_processes 1;
            pid \(sample.path("pid"));
            error_log stderr;
            events { worker_connections 512; }
            http {
            \(folders.joined(separator: "\n"))
                include \(sample.path("qoe-nginx.conf"));
            }
            """
        try text.write(toFile: sample.path("nginx.conf"), atomically: true, encoding: .utf8)
    }

    /// What `nginx -t` says of the configuration.
    func check() throws -> BuiltProgram.Result {
        try BuiltProgram.run("nginx", ["-t", "-p", sample.folder.path, "-c", sample.path("nginx.conf")])
    }

    /// A request by curl over TLS, which trusts this edge's certificate alone.
    ///
    /// - Returns: the status and the body; further lines are the fields of the answer.
    func request(_ path: String, _ options: String...) throws -> (status: Int, fields: String, body: String) {
        let words = [
            "--silent", "--show-error", "--cacert", sample.path("certificate.pem"), "--resolve",
            "\(Self.host):\(port):127.0.0.1", "--dump-header", sample.path("head"), "--write-out", "\n%{http_code}",
            "https://\(Self.host):\(port)\(path)",
        ]
        let result = try BuiltProgram.run("curl", words + options)
        try #require(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        let fields = try String(contentsOfFile: sample.path("head"), encoding: .utf8).lowercased()
        return (Int(lines.last ?? "") ?? 0, fields, lines.dropLast().joined(separator: "\n"))
    }

    /// A file with these bytes, as curl wants a body.
    func file(_ body: String) throws -> String {
        let path = sample.path("body-\(body.utf8.count)")
        try body.write(toFile: path, atomically: true, encoding: .utf8)
        return "@" + path
    }

    /// Everything that it has logged, in whichever file, after it has ended.
    func stopAndReadLogs() throws -> (access: String, all: String) {
        process?.stop()
        let access = try sample.text("qoe.log")
        return (access, try access + sample.text("qoe-error.log") + (process?.text ?? ""))
    }
}

/// Another program that runs beside a test and ends with it.
final class BackgroundProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let output: String

    /// - Parameter output: the file that gets what it writes.
    init(_ words: [String], output: String) throws {
        self.output = output
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = process.standardOutput
        try process.runWithSignals()
    }

    deinit {
        stop()
    }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// Waits until it takes connections on a port of this machine.
    func waitForPort(_ port: Int) throws {
        try waitUntil("a connection to port \(port): \(text)") {
            guard process.isRunning else { throw Failure(description: "it has ended: \(text)") }
            return (try? LoopbackConnection(port: port)) != nil
        }
    }

    /// A port of this machine that nobody has.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard result == 0 else { throw Failure(description: "no free port: \(errno)") }
        return Int(in_port_t(bigEndian: address.sin_port))
    }
}
