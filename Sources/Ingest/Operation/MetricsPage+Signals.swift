package import Archive
internal import Foundation

extension MetricsPage {
    /// What an operator is woken by: service levels, the disk, the export, the process itself.
    func signals(_ page: inout PrometheusText) {
        levels(&page)
        if let room = DiskRoom(of: paths.root) {
            page.gauge("qoe_disk_free_bytes", "Bytes that the server may still use of the data's disk.", room.free)
            page.gauge("qoe_disk_bytes", "Bytes of the data's disk.", room.size)
        }
        if let exported = ExportMark.read(paths) {
            page.gauge(
                "qoe_last_export_timestamp_seconds", "When the last qoe export came to its end.",
                Double(exported) / 1_000)
        }
        process(&page)
    }

    private func levels(_ page: inout PrometheusText) {
        guard let alerting else { return }
        let standing = alerting.watch.standing
        page.gauge(
            "qoe_slo_state",
            "The worst of a service level's groups: 0 kept, 1 uncertain, 2 broken, 3 no plays.", label: "level",
            standing.levels.compactMap { level in level.severity.map { (level.name, $0) } })
        let firing = alerting.desk.firing
        page.gauge(
            "qoe_slo_firing", "Groups of a service level that fire, as a webhook is told.", label: "level",
            standing.levels.map { ($0.name, firing[$0.text] ?? 0) })
        if let judgedAt = standing.judgedAt {
            page.gauge(
                "qoe_slo_judged_timestamp_seconds", "When service levels were last judged.", Double(judgedAt) / 1_000)
        }
        guard let sender = alerting.sender else { return }
        let counts = sender.counts
        page.counter(
            "qoe_webhook_posts_total", "Posts to the webhook, by outcome.", label: "outcome",
            [("delivered", counts.delivered), ("failed", counts.failed)])
        page.gauge("qoe_webhook_waiting", "Messages that wait for the webhook.", alerting.desk.deliveries.count)
    }

    /// Under the names that Prometheus' own clients use.
    private func process(_ page: inout PrometheusText) {
        guard let figures = ProcessFigures() else { return }
        page.counter("process_cpu_seconds_total", "Time of processors that the process has used.", figures.cpuSeconds)
        page.gauge("process_resident_memory_bytes", "Memory of the process that is in RAM.", figures.residentBytes)
        page.gauge("process_virtual_memory_bytes", "Addresses of the process.", figures.virtualBytes)
        page.gauge("process_open_fds", "Open descriptors.", figures.openDescriptors)
        page.gauge("process_max_fds", "Open descriptors at the most.", figures.mostDescriptors)
        page.gauge("process_start_time_seconds", "When the process began.", figures.startedAt)
    }
}

/// A file system's room.
private struct DiskRoom {
    /// Without what is kept for root.
    let free: Int
    let size: Int

    init?(of path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        free = Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
        size = Int(clamping: UInt64(status.f_blocks) &* UInt64(status.f_frsize))
    }
}

/// What the system says of this process.
private struct ProcessFigures {
    var cpuSeconds: Double
    var residentBytes: Int
    var virtualBytes: Int
    var openDescriptors: Int
    var mostDescriptors: Int
    /// Seconds since 1970.
    var startedAt: Double

    /// - Returns: nil where there is no `/proc`.
    init?() {
        // Files of /proc have no size, so they are read to their end.
        guard let file = FileHandle(forReadingAtPath: "/proc/self/stat"), let data = try? file.readToEnd(),
            let stat = String(data: data, encoding: .utf8),
            let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        else { return nil }
        // The program's name, in parentheses, may hold anything.
        let words = (stat.split(separator: ")").last ?? "").split(separator: " ")
        guard words.count > 21, let user = Double(words[11]), let system = Double(words[12]),
            let began = Double(words[19]), let addresses = Int(words[20]), let pages = Int(words[21])
        else { return nil }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        cpuSeconds = (user + system) / ticks
        virtualBytes = addresses
        residentBytes = pages &* sysconf(Int32(_SC_PAGESIZE))
        // The listing itself has one.
        openDescriptors = max(0, descriptors.count - 1)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        mostDescriptors = Int(clamping: limit.rlim_cur)
        var sinceBoot = timespec()
        clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
        let uptime = Double(sinceBoot.tv_sec) + Double(sinceBoot.tv_nsec) / 1e9
        startedAt = ((Date().timeIntervalSince1970 - uptime + began / ticks) * 100).rounded() / 100
    }
}

/// When the last export of a data directory came to its end, in a small file there: so the server, which is another process,
/// can say it.
package enum ExportMark {
    /// Leaves it for the server; without the right to write there, nothing is left.
    ///
    /// - Parameter now: ms since 1970.
    package static func leave(_ paths: DataPaths, at now: Int64) {
        let new = paths.lastExport + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        guard file >= 0 else { return }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        guard (try? handle.write(contentsOf: Data("\(now)\n".utf8))) != nil, rename(new, paths.lastExport) == 0 else {
            unlink(new)
            return
        }
    }

    /// - Returns: ms since 1970; nil where there was none.
    static func read(_ paths: DataPaths) -> Int64? {
        guard let data = FileManager.default.contents(atPath: paths.lastExport) else { return nil }
        return Int64(String(decoding: data, as: UTF8.self).prefix { !$0.isNewline })
    }
}
