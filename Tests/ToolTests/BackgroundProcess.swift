import Foundation
import TestSupport

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
