internal import Foundation
internal import Platform

/// A program that was run to its end, and what it took.
struct ChildRun {
    /// From start to end.
    private(set) var seconds: Double
    /// On processors, the system's share included.
    private(set) var processorSeconds: Double
    /// The most memory that it had, in MiB.
    private(set) var peakMiB = 0.0
    private(set) var output: String

    /// - Throws: ``PeerFailure`` when it can't be started or does not end with 0.
    init(_ program: String, _ arguments: [String]) throws {
        let folder = try WorkFolder()
        let path = folder.path + "/output"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT, 0o600)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let start = SystemClock.monotonic
        let code = posix_spawnp(&process, program, &actions, nil, &words, environ)
        guard code == 0 else { throw PeerFailure(description: "\(program): \(String(cString: strerror(code)))") }
        var status: Int32 = 0
        var usage = rusage()
        // The system's own record of a child's peak begins with the memory of its parent.
        while wait4(process, &status, WNOHANG, &usage) == 0 {
            peakMiB = max(peakMiB, ProcessMemory.peakMiB(process))
            usleep(2_000)
        }
        seconds = Double(SystemClock.monotonic - start) / 1e9
        output = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        guard status == 0 else {
            throw PeerFailure(description: "\(program) \(arguments.joined(separator: " ")) ended with \(status >> 8)")
        }
        processorSeconds = [usage.ru_utime, usage.ru_stime].reduce(0) { sum, time in
            sum + Double(time.tv_sec) + Double(time.tv_usec) / 1e6
        }
    }
}

/// What the system tells of a process' memory.
enum ProcessMemory {
    /// The most that it has had at once since it began its program, in MiB; 0 when it is gone.
    static func peakMiB(_ process: pid_t) -> Double {
        mebibytes("VmHWM:", of: String(process))
    }

    /// What this process has now, in MiB.
    static var residentMiB: Double { mebibytes("VmRSS:", of: "self") }

    /// What another process has now, in MiB; 0 when it is gone.
    static func residentMiB(_ process: pid_t) -> Double { mebibytes("VmRSS:", of: String(process)) }

    private static func mebibytes(_ name: String, of process: String) -> Double {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Double($0.filter(\.isNumber)) }.map { $0 / 1_024 } ?? 0
    }
}
