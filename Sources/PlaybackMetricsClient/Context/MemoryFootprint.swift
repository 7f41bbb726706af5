import Foundation

/// The memory that the process takes, as the system judges it.
public enum MemoryFootprint {
    #if canImport(Darwin)
        /// Asked for once: the usual global is a variable, which older SDKs do not call safe.
        private static let task = task_self_trap()
    #endif

    /// The footprint in bytes: what the system ends an app for on Apple's systems (`phys_footprint`), the resident size on
    /// Linux; `nil` when the system does not say.
    @Sendable public static func current() -> Int64? {
        #if canImport(Darwin)
            var info = task_vm_info_data_t()
            let words = MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size
            var count = mach_msg_type_number_t(words)
            let result = withUnsafeMutablePointer(to: &info) { pointer in
                pointer.withMemoryRebound(to: integer_t.self, capacity: words) { words in
                    task_info(task, task_flavor_t(TASK_VM_INFO), words, &count)
                }
            }
            return result == KERN_SUCCESS ? Int64(clamping: info.phys_footprint) : nil
        #else
            guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
            let fields = text.split(separator: " ")
            guard fields.count > 1, let pages = Int64(fields[1]) else { return nil }
            return pages.multipliedReportingOverflow(by: Int64(sysconf(Int32(_SC_PAGESIZE)))).partialValue
        #endif
    }
}
