import Foundation

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
