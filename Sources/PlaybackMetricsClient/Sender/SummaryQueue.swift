import Foundation

/// The summaries that wait and those that are on the wire, together at most the capacity, and the account of all.
///
/// One lock, held for a few instructions at a time: `push` never waits for a request.
final class SummaryQueue: @unchecked Sendable {
    /// A summary and the time when it was recorded.
    struct Entry: Sendable {
        var summary: PlaybackSummary
        /// By the sender's clock.
        var recordedAt: Duration
    }

    /// Summaries taken to be sent; settling the batch or putting it back ends that.
    struct Batch: Sendable {
        var entries: [Entry]
        /// The account as it stands with these on the wire.
        var account: SenderStats
        /// The number of this attempt, from 0.
        var sequence: Int
        fileprivate var epoch: Int
    }

    private let lock = NSLock()
    private let capacity: Int
    private var ring: RingBuffer<Entry>
    private var recorded = 0
    private var delivered = 0
    private var dropped: [Int]
    private var inFlight = 0
    private var attempts = 0
    private var lastStatus: Int?
    private var enabled = true
    /// Counts how often the queue was emptied, so that a batch taken before is not put back after.
    private var epoch = 0

    /// - Parameter capacity: at least 1.
    init(capacity: Int) {
        self.capacity = capacity
        ring = RingBuffer(limit: capacity)
        dropped = Array(repeating: 0, count: DropReason.allCases.count)
    }

    /// Adds a summary. When the queue is full the oldest that is not on the wire goes; when all are, this one.
    ///
    /// - Complexity: O(1), and no allocation in the steady state.
    func push(_ entry: consuming Entry) {
        lock.lock()
        defer { lock.unlock() }
        guard enabled else { return }
        recorded += 1
        if ring.count + inFlight >= capacity {
            dropped[DropReason.overflow.index] += 1
            guard ring.popFirst() != nil else { return }
        }
        ring.append(entry)
    }

    /// Takes at most `limit` summaries from the front, those that can't be encoded left out and dropped.
    func take(_ limit: Int, encodable: (Entry) -> Bool) -> Batch? {
        lock.lock()
        defer { lock.unlock() }
        var entries: [Entry] = []
        while entries.count < limit, let entry = ring.popFirst() {
            if encodable(entry) { entries.append(entry) } else { dropped[DropReason.unencodable.index] += 1 }
        }
        guard !entries.isEmpty else { return nil }
        inFlight = entries.count
        defer { attempts += 1 }
        return Batch(entries: entries, account: account(), sequence: attempts, epoch: epoch)
    }

    /// Notes the status of an answer, `nil` when none came.
    func note(status: Int?) {
        lock.lock()
        defer { lock.unlock() }
        lastStatus = status
    }

    /// Ends a batch: so many of it were given up for a reason, the others delivered.
    func settle(_ batch: Batch, dropping count: Int, because reason: DropReason) {
        lock.lock()
        defer { lock.unlock() }
        inFlight = 0
        dropped[reason.index] += count
        delivered += batch.entries.count - count
    }

    /// Puts a batch back at the front, in its order, unless the queue has been emptied meanwhile.
    func putBack(_ batch: Batch) {
        lock.lock()
        defer { lock.unlock() }
        inFlight = 0
        guard batch.epoch == epoch else {
            dropped[DropReason.disabled.index] += batch.entries.count
            return
        }
        for entry in batch.entries.reversed() { ring.prepend(entry) }
    }

    /// Whether summaries are taken. Turning it off empties the queue; what is on the wire is no longer repeated.
    var isEnabled: Bool {
        get {
            lock.lock()
            defer { lock.unlock() }
            return enabled
        }
        set {
            lock.lock()
            defer { lock.unlock() }
            enabled = newValue
            guard !newValue else { return }
            epoch += 1
            dropped[DropReason.disabled.index] += ring.count
            ring.removeAll()
        }
    }

    var isEmpty: Bool {
        lock.lock()
        defer { lock.unlock() }
        return ring.count == 0
    }

    /// The account of everything.
    var stats: SenderStats {
        lock.lock()
        defer { lock.unlock() }
        return account()
    }

    private func account() -> SenderStats {
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
        return stats
    }
}

extension DropReason {
    /// The place in a table of all reasons.
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
