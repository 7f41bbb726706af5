import Foundation

/// The summaries that wait and those that are on the wire, together at most the capacity, and the sender report of all. What
/// earlier senders left goes first, under their own ids.
///
/// One lock. `push` holds it for a few instructions, with a spool for as long as its event takes to be written into memory,
/// and no request is ever waited for under it. Opening the files and removing them happens under it too, once for each change
/// of the consent; bringing them to the disk does not.
///
/// Sender report and spool are changed while consent is granted and at no other time: what happens meanwhile is noted when it is
/// granted again.
///
/// Not checked: the lock is let go of before a waker is called and before files are brought to the disk.
final class SummaryQueue: @unchecked Sendable {
    /// A summary and the time when it was recorded.
    struct Entry: Sendable {
        var summary: PlaybackSummary
        /// By the sender's clock.
        var recordedAt: Duration
        fileprivate var mark = Spool.Mark.none

        init(summary: PlaybackSummary, recordedAt: Duration) {
            self.summary = summary
            self.recordedAt = recordedAt
        }
    }

    /// Plays taken to be sent; settling the batch or putting it back ends that.
    struct Batch: Sendable {
        enum Plays: Sendable {
            case own([Entry])
            case earlier([KeptPlay])
        }

        var plays: Plays
        var senderId: UUID
        /// The sender report as it stands with these on the wire; `nil`: it is lost.
        var report: SenderReport?
        /// The number of this attempt, from 0.
        var sequence: Int
        fileprivate var epoch: Int

        var count: Int {
            switch plays {
            case .own(let entries): entries.count
            case .earlier(let plays): plays.count
            }
        }
    }

    private let lock = NSLock()
    private let capacity: Int
    private let senderId: UUID
    private let storage: SenderStorage?
    private var ring: RingBuffer<Entry>
    private var earlier: [EarlierSender] = []
    /// Plays of earlier senders, those on the wire included.
    private var earlierCount = 0
    private var reportFile: SenderReportFile?
    private var spool: Spool?
    private var json = JSONWriter()
    private var recorded = 0
    private var delivered = 0
    private var earlierDelivered = 0
    private var dropped: [Int]
    private var inFlight = 0
    private var sequence = 0
    private var attempts = 0
    private var lastStatus: Int?
    private var agreement: PlaybackConsent
    private var waker: (@Sendable () -> Void)?
    private var problem: String?
    /// The sender report that an endpoint has taken last.
    private var told: SenderReport?
    /// What sender reports and spool are to be told once consent is granted again. At most one for each play in the spool and for each
    /// earlier sender's, and those of one request.
    private var deferred: [() -> Void] = []
    /// Counts how often the queue was emptied, so that a batch taken before is not put back after.
    private var epoch = 0

    /// - Parameters:
    ///   - capacity: at least 1.
    ///   - storage: `nil`: nothing is kept on the disk.
    init(capacity: Int, senderId: UUID, consent: PlaybackConsent = .granted, storage: SenderStorage? = nil) {
        self.capacity = capacity
        self.senderId = senderId
        self.storage = storage
        ring = RingBuffer(limit: capacity)
        dropped = Array(repeating: 0, count: DropReason.allCases.count)
        agreement = .pending
        self.consent = consent
    }

    deinit {
        // Everything has been told, and nothing is kept that belongs to it: the next run need not look.
        if let reportFile, reportFile.told == reportFile.report, spool?.isEmpty ?? true { reportFile.file.remove() }
    }

    /// Adds a summary. When the queue is full the oldest that is not on the wire goes; when all are, this one.
    ///
    /// - Complexity: O(1), and no allocation in the steady state (with a spool: O(bytes of its event)).
    func push(_ entry: consuming Entry) {
        lock.lock()
        guard agreement != .denied else { return lock.unlock() }
        recorded += 1
        // Before the play is in the spool: a kill in between must not leave more plays than were made.
        if agreement == .granted { reportFile?.note(made: recorded) }
        if ring.count + inFlight + earlierCount < capacity || dropOldest() {
            if spool != nil, agreement == .granted { keep(&entry) }
            ring.append(entry)
        }
        guard waker != nil, agreement == .granted else { return lock.unlock() }
        let wake = waker.take()
        lock.unlock()
        wake?()
    }

    /// Takes at most `limit` plays from the front, those that can't be encoded left out and dropped. The sender report of an
    /// earlier sender may have none.
    func take(_ limit: Int) -> Batch? {
        lock.lock()
        defer { lock.unlock() }
        guard agreement == .granted else { return nil }
        if let batch = takeEarlier(limit) { return batch }
        var entries: [Entry] = []
        while entries.count < limit, let entry = ring.popFirst() {
            if BatchEncoder.canEncode(entry.summary) {
                entries.append(entry)
            } else {
                dropped[DropReason.unencodable.index] += 1
            }
        }
        noteReport()
        guard !entries.isEmpty else { return nil }
        inFlight = entries.count
        defer {
            attempts += 1
            sequence += 1
            reportFile?.sequence = sequence
        }
        return Batch(plays: .own(entries), senderId: senderId, report: report, sequence: sequence, epoch: epoch)
    }

    /// Notes the status of a response, `nil` when none came.
    func note(status: Int?) { lock.withLock { lastStatus = status } }

    /// Ends a batch: so many of it were given up for a reason, the others delivered.
    ///
    /// - Parameter isTold: the endpoint has taken the sender report that went with it.
    func settle(_ batch: Batch, dropping count: Int, because reason: DropReason, isTold: Bool) {
        lock.lock()
        defer { lock.unlock() }
        switch batch.plays {
        case .own(let entries):
            inFlight = 0
            dropped[reason.index] += count
            delivered += entries.count - count
            // After another epoch began, the marks are those of a spool that is no more.
            if batch.epoch == epoch { forget(entries.map(\.mark)) }
            if isTold, let report = batch.report { told = report }
            noteReport()
        case .earlier(let plays):
            guard batch.epoch == epoch, let sender = earlier.first else { return }
            earlierDelivered += plays.count - count
            earlierCount -= plays.count
            forget(plays.map(\.mark))
            if let reportFile = sender.reportFile {
                whenGranted {
                    if reason == .rejected {
                        reportFile.report.rejected += count
                    } else {
                        reportFile.report.dropped += count
                    }
                    if isTold, let report = batch.report { reportFile.told = report }
                }
            }
            // A sender report alone is not told twice, whatever became of it.
            guard agreement == .granted && sender.isSettled || batch.count == 0 else { return }
            if let reportFile = sender.reportFile { whenGranted { reportFile.file.remove() } }
            earlier.removeFirst()
        }
    }

    /// Puts a batch back at the front, in its order, unless the queue has been emptied meanwhile.
    func putBack(_ batch: Batch) {
        lock.lock()
        defer { lock.unlock() }
        switch batch.plays {
        case .own(let entries):
            inFlight = 0
            guard batch.epoch == epoch else {
                dropped[DropReason.disabled.index] += entries.count
                return noteReport()
            }
            for entry in entries.reversed() { ring.prepend(entry) }
        case .earlier(let plays):
            guard batch.epoch == epoch, !earlier.isEmpty else { return }
            earlier[0].plays.insert(contentsOf: plays, at: 0)
        }
    }

    /// Whether plays are taken and sent. `denied` empties the queue and removes what is on the disk; what is on the wire is
    /// no longer repeated.
    var consent: PlaybackConsent {
        get {
            lock.lock()
            defer { lock.unlock() }
            return agreement
        }
        set {
            lock.lock()
            agreement = newValue
            switch newValue {
            case .pending: break
            case .granted:
                openStorage()
                noteWhatWaited()
            case .denied: forgetEverything()
            }
            let wake = newValue == .granted ? waker.take() : nil
            lock.unlock()
            wake?()
        }
    }

    /// Whether there is nothing that could be sent now.
    var isIdle: Bool { lock.withLock { hasNothingToSend } }

    /// Calls `wake` once, as soon as there is something to send: at once when there is.
    func whenNotIdle(_ wake: @escaping @Sendable () -> Void) {
        lock.lock()
        guard hasNothingToSend else {
            lock.unlock()
            return wake()
        }
        waker = wake
        lock.unlock()
    }

    /// Brings the sender report and the spool to the disk.
    func synchronize() {
        lock.lock()
        let files = [reportFile?.file, spool?.file]
        lock.unlock()
        // Not under the lock: a disk may take its time.
        for file in files { file?.synchronize() }
    }

    /// What could not be had of the disk, said once.
    func takeProblem() -> String? { lock.withLock { problem.take() } }

    /// The sender report of everything.
    var stats: SenderStats {
        lock.lock()
        defer { lock.unlock() }
        var stats = SenderStats()
        stats.recorded = recorded
        stats.delivered = delivered
        for reason in DropReason.allCases where dropped[reason.index] > 0 {
            stats.droppedByReason[reason] = dropped[reason.index]
        }
        stats.queued = ring.count
        stats.inFlight = inFlight
        stats.attempts = attempts
        stats.lastStatus = lastStatus
        stats.earlierQueued = earlierCount
        stats.earlierDelivered = earlierDelivered
        return stats
    }

    // MARK: Under the lock

    private var hasNothingToSend: Bool { agreement != .granted || (ring.count == 0 && earlier.isEmpty) }

    private var report: SenderReport {
        SenderReport(made: recorded, dropped: ownDropped, rejected: dropped[DropReason.rejected.index])
    }

    /// Plays that were given up but by an endpoint one by one.
    private var ownDropped: Int {
        var sum = -dropped[DropReason.rejected.index]
        for count in dropped { sum += count }
        return sum
    }

    private func noteReport() {
        guard agreement == .granted, let reportFile else { return }
        reportFile.report = report
        if let told { reportFile.told = told }
    }

    /// Does what changes files: now, or when consent is granted again.
    private func whenGranted(_ change: @escaping () -> Void) {
        if agreement == .granted { change() } else { deferred.append(change) }
    }

    /// Takes the records of settled plays out of the spool.
    private func forget(_ marks: [Spool.Mark]) {
        let marks = marks.filter { $0 != .none }
        guard let spool, !marks.isEmpty else { return }
        whenGranted { for mark in marks { spool.remove(mark) } }
    }

    /// Gives up the oldest play that is not on the wire.
    ///
    /// - Returns: `false` when all are: then the newest goes.
    private func dropOldest() -> Bool {
        if earlierCount > 0, let index = earlier.firstIndex(where: { !$0.plays.isEmpty }) {
            earlierCount -= 1
            if let reportFile = earlier[index].reportFile { whenGranted { reportFile.report.dropped += 1 } }
            forget([earlier[index].plays.removeFirst().mark])
            return true
        }
        dropped[DropReason.overflow.index] += 1
        if agreement == .granted { reportFile?.note(dropped: ownDropped) }
        guard spool != nil else { return ring.dropFirst() }
        guard let oldest = ring.popFirst() else { return false }
        forget([oldest.mark])
        return true
    }

    private func takeEarlier(_ limit: Int) -> Batch? {
        while let settled = earlier.first, settled.isSettled {
            settled.reportFile?.file.remove()
            earlier.removeFirst()
        }
        guard let sender = earlier.first else { return nil }
        let plays = Array(sender.plays.prefix(limit))
        earlier[0].plays.removeFirst(plays.count)
        attempts += 1
        let number = sender.reportFile?.sequence ?? 0
        sender.reportFile?.sequence = number + 1
        return Batch(
            plays: .earlier(plays), senderId: sender.senderId, report: sender.reportFile?.report, sequence: number,
            epoch: epoch)
    }

    private func openStorage() {
        guard let storage, reportFile == nil, spool == nil, earlier.isEmpty else { return }
        let opened = storage.open()
        (reportFile, spool, earlier, problem) = (opened.reportFile, opened.spool, opened.earlier, opened.problem)
        earlierCount = earlier.reduce(0) { $0 + $1.plays.count }
        reportFile?.sequence = sequence
        while ring.count + inFlight + earlierCount > capacity, dropOldest() {}
    }

    /// Brings to sender report and spool what happened while consent was not granted.
    private func noteWhatWaited() {
        for change in deferred { change() }
        deferred = []
        noteReport()
        for _ in 0..<ring.count where spool != nil {
            guard var entry = ring.popFirst() else { break }
            if entry.mark == .none { keep(&entry) }
            ring.append(entry)
        }
    }

    /// Writes a play into the spool.
    private func keep(_ entry: inout Entry) {
        guard let storage, BatchEncoder.canEncode(entry.summary) else { return }
        entry.mark =
            spool?.append(storage.record(of: entry.summary, recordedAt: entry.recordedAt, using: &json)) ?? .none
    }

    private func forgetEverything() {
        epoch += 1
        dropped[DropReason.disabled.index] += ring.count
        ring.removeAll()
        deferred = []
        spool?.erase()
        for sender in earlier { sender.reportFile?.file.remove() }
        reportFile?.file.remove()
        (reportFile, spool, earlier, earlierCount) = (nil, nil, [], 0)
        storage?.removeAll()
    }
}

extension DropReason {
    /// The index in a table of all reasons.
    fileprivate var index: Int {
        switch self {
        case .overflow: 0
        case .refused: 1
        case .rejected: 2
        case .tooLarge: 3
        case .unencodable: 4
        case .disabled: 5
        }
    }
}
