internal import Foundation
internal import Glibc
internal import Platform

/// A server in a process of its own, on a free port, with an empty data directory; it ends with the object.
final class ServerUnderLoad {
    let kind: ServerKind
    let folder: WorkFolder
    private(set) var port: UInt16 = 0
    private var adminPort: UInt16 = 0
    private let process = Process()

    /// How long ours took from its start until it listened, in seconds.
    private(set) var startSeconds = 0.0
    private let data: String

    /// Starts it and waits until it answers.
    ///
    /// - Parameters:
    ///   - data: a data directory that is there, for ours; without one it is a new one.
    ///   - keys: the text of a file of write keys, for ours; without it everybody may write.
    init(_ kind: ServerKind, _ tools: PeerTools, data: String? = nil, keys: String? = nil) throws {
        self.kind = kind
        folder = try WorkFolder(in: tools.workFolder)
        self.data = data ?? folder.path
        switch kind {
        case .ours: try startOurs(tools, keys)
        case .tuned: try startPython("tuned_server", tools)
        case .plain: try startPython("plain_server", tools)
        case .nginx: try startNginx(tools)
        }
    }

    deinit {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
    }

    private func startOurs(_ tools: PeerTools, _ keys: String?) throws {
        var options: [String] = []
        if let keys {
            // Below the folder, which goes with the object; the server minds nothing that it does not know.
            let file = folder.path + "/write-keys"
            try keys.write(toFile: file, atomically: true, encoding: .utf8)
            // Who reads needs none.
            options = ["--write-keys", file, "--allow-anonymous"]
        }
        let pipe = Pipe()
        process.standardOutput = pipe
        let began = SystemClock.monotonic
        try start(
            try tools.program("qoe"),
            ["serve", "--data", data, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"] + options)
        var text = ""
        while text.filter({ $0 == "\n" }).count < 2 {
            let data = pipe.fileHandleForReading.availableData
            guard !data.isEmpty else { throw PeerFailure(description: "qoe serve ended: \(errors)") }
            text += String(decoding: data, as: UTF8.self)
        }
        startSeconds = Double(SystemClock.monotonic - began) / 1e9
        let ports = text.split(separator: "\n").compactMap { $0.split(separator: ":").last.flatMap { UInt16($0) } }
        guard ports.count == 2 else { throw PeerFailure(description: "no ports in: \(text)") }
        (port, adminPort) = (ports[0], ports[1])
    }

    private func startPython(_ module: String, _ tools: PeerTools) throws {
        guard let python = tools.python else { throw PeerFailure(description: "no Python environment was named") }
        port = try LocalHTTP.freePort()
        process.environment = ProcessInfo.processInfo.environment.merging(["PEER_DATA": folder.path]) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: tools.sources)
        try start(
            python + "/python",
            [
                "-B", "-m", "uvicorn", "\(module):app", "--port", String(port), "--loop", "uvloop", "--http",
                "httptools",
                "--log-level", "warning", "--no-access-log",
            ])
        try waitUntilItAnswers()
    }

    private func startNginx(_ tools: PeerTools) throws {
        port = try LocalHTTP.freePort()
        let template = try String(contentsOfFile: tools.sources + "/nginx.conf", encoding: .utf8)
        let text = template.replacingOccurrences(of: "FOLDER", with: folder.path)
            .replacingOccurrences(of: "PORT", with: String(port))
        let path = folder.path + "/nginx.conf"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try start("/usr/sbin/nginx", ["-p", folder.path, "-c", path, "-e", folder.path + "/errors"])
        try waitUntilItAnswers()
    }

    private func start(_ program: String, _ arguments: [String]) throws {
        let path = folder.path + "/standard-error"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardError = FileHandle(forWritingAtPath: path)
        try process.run()
    }

    private var errors: String {
        (try? String(contentsOfFile: folder.path + "/standard-error", encoding: .utf8)) ?? ""
    }

    private func waitUntilItAnswers() throws {
        for _ in 0..<200 {
            guard process.isRunning else { throw PeerFailure(description: "\(kind) ended: \(errors)") }
            if (try? LocalHTTP.get("/lag", port: port)) != nil { return }
            usleep(50_000)
        }
        throw PeerFailure(description: "\(kind) does not answer: \(errors)")
    }

    var lag: LagProbe { LagProbe(kind: kind, port: kind == .ours ? adminPort : port) }

    /// How long a sync of ours to the disk has taken in the mean, in ms; nil for another server.
    var meanSyncMs: Double? {
        guard kind == .ours, let page = try? LocalHTTP.get("/metrics", port: adminPort) else { return nil }
        func value(_ name: String) -> Double? {
            page.split(separator: "\n").first { $0.hasPrefix(name + " ") }.flatMap {
                Double($0.dropFirst(name.count + 1))
            }
        }
        guard let sum = value("qoe_fsync_seconds_sum"), let count = value("qoe_fsync_seconds_count"), count > 0 else {
            return nil
        }
        return sum / count * 1e3
    }

    /// The memory that it has now, in MiB.
    var residentMiB: Double { ProcessMemory.residentMiB(process.processIdentifier) }

    /// The most memory that it has had, in MiB.
    var peakMiB: Double { ProcessMemory.peakMiB(process.processIdentifier) }
}

/// Asks a server how far its database is behind its archive.
struct LagProbe: Sendable {
    var kind: ServerKind
    var port: UInt16

    /// Bytes of compressed archive.
    func bytes() throws -> Int {
        switch kind {
        case .ours:
            let line = try LocalHTTP.get("/metrics", port: port).split(separator: "\n").first {
                $0.hasPrefix("qoe_follower_lag_bytes ")
            }
            return line.flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }.map { Int($0) } ?? 0
        case .tuned: return Int(try LocalHTTP.get("/lag", port: port).filter(\.isNumber)) ?? 0
        case .plain, .nginx: return 0
        }
    }
}

/// Small requests to servers on this machine.
enum LocalHTTP {
    /// A port that is free now.
    static func freePort() throws -> UInt16 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
            }
        }
        guard result == 0 else { throw PeerFailure(description: "no free port") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The body of what a server answers to a GET.
    static func get(_ path: String, port: UInt16) throws -> String {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        let connection = LoadConnection(port: port, room: request.count)
        try connection.open()
        let template = RequestTemplate(request)
        var chance = SeededGenerator(seed: 0)
        var progress = connection.begin(template, using: &chance)
        for _ in 0..<100 {
            switch progress {
            case .answered: return connection.body
            case .broken: throw PeerFailure(description: "no answer to GET \(path)")
            case .waiting:
                var socket = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
                poll(&socket, 1, 100)
                progress = connection.goOn()
            }
        }
        throw PeerFailure(description: "no answer to GET \(path) in ten seconds")
    }
}
