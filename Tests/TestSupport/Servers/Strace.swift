import Foundation

/// Makes system calls of a server fail or take long, by strace.
package enum Strace {
    /// Words before a command line, so that strace's rules hold from its start. The process stays the command's own.
    ///
    /// - Parameters:
    ///   - calls: which calls strace looks at, separated by commas; all others run at full speed, by way of a filter in the
    ///     kernel.
    ///   - rule: what becomes of them, such as `error=EIO:when=3` or `delay_enter=200000`.
    package static func wrapper(_ calls: String, _ rule: String) -> [String] {
        ["strace", "--daemonize", "--seccomp-bpf"] + arguments(calls, rule)
    }

    /// Words before a command line that write these calls to a file, with the paths of their descriptors.
    package static func recorder(_ calls: String, to file: String) -> [String] {
        ["strace", "--daemonize", "--seccomp-bpf", "--follow-forks", "-y", "-s", "20", "-o", file]
            + ["-e", "trace=\(calls)"]
    }

    /// The calls of a recording in the order in which they returned, without the numbers of their threads.
    package static func calls(in file: String) throws -> [String] {
        var unfinished: [Substring: Substring] = [:]
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let call = parts[1].drop { $0 == " " }
            if let end = call.range(of: " <unfinished ...>") {
                unfinished[parts[0]] = call[..<end.lowerBound]
                return nil
            }
            guard call.hasPrefix("<... "), let end = call.range(of: " resumed>") else { return String(call) }
            return (unfinished.removeValue(forKey: parts[0]) ?? "") + String(call[end.upperBound...])
        }
    }

    fileprivate static func arguments(_ calls: String, _ rule: String) -> [String] {
        ["--follow-forks", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)", "-e", "inject=\(calls):\(rule)"]
    }
}

/// strace on a server that runs, until ``detach()``.
package final class StraceAttachment {
    private let process = Process()

    /// Returns when the rule is in force.
    ///
    /// - Parameter paths: only calls on these files count; all when there are none.
    package init(_ server: ServerProcess, _ calls: String, _ rule: String, paths: [String] = []) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["strace", "-p", String(server.pid)] + Strace.arguments(calls, rule) + paths.flatMap { ["-P", $0] }
        process.standardError = FileHandle.nullDevice
        try process.runWithSignals()
        try waitUntil("strace to attach") { Self.tracers(of: server.pid).allSatisfy { $0 > 0 } }
    }

    deinit {
        if process.isRunning { detach() }
    }

    package func detach() {
        process.terminate()
        process.waitUntilExit()
    }

    /// The tracer of each thread, 0 for none.
    private static func tracers(of pid: Int32) -> [Int] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        let tracers = tasks.compactMap { task in
            let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/status", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").first { $0.hasPrefix("TracerPid:") }
                .flatMap { $0.split(separator: "\t").last }.flatMap { Int($0) }
        }
        return tracers.isEmpty ? [0] : tracers
    }
}
