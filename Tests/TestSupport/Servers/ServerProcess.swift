package import Foundation

/// A real `qoe serve`; killed when the object goes.
package final class ServerProcess {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let port: Int
    package let adminPort: Int
    package let dataDirectory: String
    private let process = Process()
    private let folder: TemporaryFolder
    private let output: FileHandle

    /// Starts a server and waits until it listens.
    ///
    /// - Parameters:
    ///   - port: where it takes plays; 0 takes a free one.
    ///   - wrapper: words before the command line, for a program that becomes it.
    ///   - errors: what it gets as standard error instead of a file, which ``log`` reads.
    ///   - program: another than the one that is built beside the tests.
    package init(
        data: String, port: Int = 0, options: [String] = [], environment: [String: String] = [:],
        wrapper: [String] = [], program: String? = nil, errors: FileHandle? = nil
    ) throws {
        folder = try TemporaryFolder()
        dataDirectory = data
        let serve =
            [
                program ?? BuiltProgram("qoe").path, "serve", "--data", data, "--listen", "127.0.0.1:\(port)",
                "--admin-listen", "127.0.0.1:0",
            ]
            + options
        let words = wrapper + serve
        process.executableURL = URL(fileURLWithPath: words[0].hasPrefix("/") ? words[0] : "/usr/bin/env")
        process.arguments = words[0].hasPrefix("/") ? Array(words.dropFirst()) : words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        _ = FileManager.default.createFile(atPath: folder.path("err"), contents: nil)
        process.standardOutput = pipe
        process.standardError = errors ?? FileHandle(forWritingAtPath: folder.path("err"))
        output = pipe.fileHandleForReading
        try process.runWithSignals()
        var text = ""
        while text.filter({ $0 == "\n" }).count < 2 {
            let data = output.availableData
            if data.isEmpty {
                process.waitUntilExit()
                let errors = (try? String(contentsOfFile: folder.path("err"), encoding: .utf8)) ?? ""
                throw Failure(description: "the server ended with \(process.terminationStatus): \(errors)")
            }
            text += String(decoding: data, as: UTF8.self)
        }
        let ports = text.split(separator: "\n").compactMap { $0.split(separator: ":").last.flatMap { Int($0) } }
        guard ports.count == 2 else { throw Failure(description: "no ports in: \(text)") }
        (self.port, adminPort) = (ports[0], ports[1])
    }

    deinit {
        if process.isRunning { kill() }
    }

    package var pid: Int32 { process.processIdentifier }
    package var isRunning: Bool { process.isRunning }

    /// Everything that it has written to standard error.
    package var log: String {
        (try? String(contentsOfFile: folder.path("err"), encoding: .utf8)) ?? ""
    }

    /// SIGKILL: what a crash or the kernel would do.
    package func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    package func signal(_ number: Int32) {
        Foundation.kill(process.processIdentifier, number)
    }

    /// SIGTERM, then its exit status; -1 when it does not end.
    package func stop() -> Int32 {
        signal(SIGTERM)
        return (try? waitForExit()) ?? -1
    }

    /// The exit status, or the signal that ended it.
    package func waitForExit(seconds: Double = 60) throws -> Int32 {
        try waitUntil("the server to end", seconds: seconds) { !process.isRunning }
        return process.terminationStatus
    }

    package func connect(timeout: Int = 30) throws -> LoopbackConnection {
        try LoopbackConnection(port: port, timeout: timeout)
    }

    /// One value of `/metrics`, by its whole name with labels.
    package func metric(_ name: String) throws -> Double? {
        let text = try LoopbackConnection(port: adminPort).get("/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    /// Waits until the follower has read the archive to its end.
    package func waitForFollower(seconds: Double = 60) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while Date() < deadline {
            if try metric("qoe_follower_lag_bytes") == 0 { return }
            usleep(20_000)
        }
        throw Failure(description: "the follower is not at the end after \(seconds) s")
    }
}

/// What the kernel says of the process.
extension ServerProcess {
    /// Resident memory now, in bytes.
    package var residentBytes: Int { status("VmRSS") * 1_024 }

    /// The most resident memory since the start or since ``forgetPeak()``, in bytes.
    package var peakBytes: Int { status("VmHWM") * 1_024 }

    /// Lets ``peakBytes`` begin anew.
    package func forgetPeak() {
        try? "5".write(toFile: "/proc/\(pid)/clear_refs", atomically: false, encoding: .utf8)
    }

    package var threads: Int { status("Threads") }

    /// The most threads that a server has which nobody is connected to.
    package static let restingThreads = 12

    package var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd"))?.count ?? 0
    }

    /// Processor time of all threads, in seconds.
    package var processorSeconds: Double {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        // After the name: field 3 is the first, 14 and 15 are the ticks in user and system mode.
        let fields = text[text.index(after: end)...].split(separator: " ")
        let ticks = fields.count > 12 ? (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0) : 0
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private func status(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}

extension ServerProcess {
    package static let eventsPath = "/v1/playback-events"

    /// Posts a body on a connection of its own.
    @discardableResult
    package func post(
        _ body: String, to path: String = eventsPath, fields: [String: String] = [:]
    ) throws -> LoopbackConnection.Response {
        try post(Array(body.utf8), to: path, fields: fields)
    }

    @discardableResult
    package func post(
        _ body: [UInt8], to path: String = eventsPath, fields: [String: String] = [:]
    ) throws -> LoopbackConnection.Response {
        try connect().post(path, body, fields: fields)
    }

    /// What the admin listener answers.
    package func admin(_ path: String) throws -> LoopbackConnection.Response {
        try LoopbackConnection(port: adminPort).get(path)
    }

    /// Every value of `/metrics`, by its whole name with labels.
    package func metrics() throws -> [String: Double] {
        var values: [String: Double] = [:]
        for line in try admin("/metrics").text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            values[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return values
    }

    /// The log's objects, one a line.
    package func logged() throws -> [[String: String]] {
        try log.split(separator: "\n").map { line in
            let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let object = json as? [String: String] else { throw Failure(description: "a log line: \(line)") }
            return object
        }
    }

    /// How often the log has an event.
    package func count(logged event: String) throws -> Int {
        try logged().count { $0["event"] == event }
    }
}
