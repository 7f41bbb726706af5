import Foundation

/// Where a sender keeps its report and its spool, and by which clocks a play's time outlives the process.
struct SenderStorage: Sendable {
    /// The most sender reports of earlier senders that are told; older ones are removed.
    private static let earlierLimit = 16

    let folder: URL
    let senderId: UUID
    /// The most plays of the spool; 0: there is none.
    let spoolLimit: Int
    /// How far the clock of the device's boot is ahead of the sender's.
    let bootOffset: Duration
    /// Which boot of the device this is.
    let boot: UInt64
    let wallClock: @Sendable () -> Date

    /// What one opening found.
    struct Opened {
        var reportFile: SenderReportFile?
        var spool: Spool?
        var earlier: [EarlierSender] = []
        /// What could not be had first, for the log: the rest commonly follows from it.
        var problem: String?
    }

    init(configuration: SenderConfiguration, folder: URL, senderId: UUID, seams: SenderSeams) {
        self.folder = folder
        self.senderId = senderId
        spoolLimit = configuration.spoolLimit
        bootOffset = seams.bootClock.now() - seams.clock.now
        boot = seams.bootClock.id
        wallClock = seams.wallClock
    }

    /// Makes the folder and the files, and finds what earlier senders left.
    func open() -> Opened {
        var opened = Opened()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let paths = SenderReportFile.all(in: folder)
        opened.reportFile = SenderReportFile(of: senderId, in: folder)
        if opened.reportFile == nil { opened.problem = "no sender report can be kept in \(folder.path)" }
        for path in paths {
            guard let reportFile = SenderReportFile(leftAt: path), reportFile.senderId != senderId else { continue }
            if opened.earlier.count < Self.earlierLimit {
                opened.earlier.append(EarlierSender(reportFile: reportFile))
            } else {
                reportFile.file.remove()
            }
        }
        if spoolLimit > 0 {
            opened.spool = Spool(in: folder, limit: spoolLimit)
            if opened.spool == nil, opened.problem == nil {
                opened.problem = "no spool can be kept in \(folder.path), or another sender has it"
            }
        } else {
            Spool.remove(from: folder)
        }
        addPlays(to: &opened)
        // What an earlier sender has told already need not be told again.
        opened.earlier.removeAll { sender in
            guard sender.isSettled else { return false }
            sender.reportFile?.file.remove()
            return true
        }
        // Oldest first.
        opened.earlier.reverse()
        return opened
    }

    /// Removes everything that nobody uses.
    func removeAll() {
        for path in SenderReportFile.all(in: folder) { SenderReportFile(leftAt: path)?.file.remove() }
        Spool.remove(from: folder)
    }

    /// A play for the spool.
    func record(of summary: PlaybackSummary, recordedAt: Duration, using json: inout JSONWriter) -> Spool.Record {
        json.removeAll()
        BatchEncoder.write(summary, to: &json)
        return Spool.Record(
            senderId: senderId, bootTime: (recordedAt + bootOffset).nanoseconds, boot: boot,
            wallTime: wallClock().millisecondsSince1970, event: json.bytes)
    }

    private func addPlays(to opened: inout Opened) {
        for (record, mark) in opened.spool?.takeOver() ?? [] {
            // The clock of another boot says nothing: the endpoint gets the device's own.
            let isSameBoot = boot != 0 && record.boot == boot
            let play = KeptPlay(
                event: record.event, recordedAt: .nanoseconds(record.bootTime) - bootOffset,
                endedAt: isSameBoot ? nil : record.wallTime, mark: mark)
            if let position = opened.earlier.firstIndex(where: { $0.senderId == record.senderId }) {
                opened.earlier[position].plays.append(play)
            } else {
                opened.earlier.append(EarlierSender(senderId: record.senderId, plays: [play]))
            }
        }
    }
}

/// A play that the spool kept from an earlier run.
struct KeptPlay: Sendable {
    /// As requests hold it, but for its age.
    var event: [UInt8]
    /// By this run's sender's clock.
    var recordedAt: Duration
    /// By the device's own clock, in ms since 1970, where the other can't tell.
    var endedAt: Int64?
    var mark: Spool.Mark
}

/// A sender that is no more; its report, and the plays of it that the spool kept.
struct EarlierSender {
    let senderId: UUID
    /// `nil` when only plays were left.
    let reportFile: SenderReportFile?
    var plays: [KeptPlay] = []

    init(reportFile: SenderReportFile) {
        senderId = reportFile.senderId
        self.reportFile = reportFile
    }

    init(senderId: UUID, plays: [KeptPlay]) {
        self.senderId = senderId
        reportFile = nil
        self.plays = plays
    }

    /// Whether nothing is left to be told.
    var isSettled: Bool { plays.isEmpty && (reportFile.map { $0.told == $0.report } ?? true) }
}

extension Date {
    /// 0 for a date that no 64 bits hold.
    var millisecondsSince1970: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    }
}
