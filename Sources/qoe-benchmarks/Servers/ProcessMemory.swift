internal import Foundation

/// What the system tells of a process' memory.
enum ProcessMemory {
    /// The most that it has had at once since it began its program, in MiB; 0 when it is gone.
    static func peakMiB(_ process: pid_t) -> Double {
        mebibytes("VmHWM:", of: String(process))
    }

    /// What this process has now, in MiB.
    static var residentMiB: Double { mebibytes("VmRSS:", of: "self") }

    private static func mebibytes(_ name: String, of process: String) -> Double {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Double($0.filter(\.isNumber)) }.map { $0 / 1_024 } ?? 0
    }
}
