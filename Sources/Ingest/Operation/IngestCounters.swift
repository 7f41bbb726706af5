internal import Archive
internal import PlaybackEvents
package import Synchronization

/// What the endpoint has done since it started; every counter only rises.
///
/// received = accepted + rejected, at every moment at which no request is half-way.
package final class IngestCounters: Sendable {
    package let eventsReceived = Atomic(0)
    package let eventsAccepted = Atomic(0)
    package let eventsErased = Atomic(0)
    package let unknownFields = Atomic(0)
    /// When the newest event that was accepted ended, ms since 1970; 0 before the first.
    package let newestEvent = Atomic<Int64>(0)
    /// Keys and service levels could be read the last time that they were; true before the first.
    package let isLastReloadGood = Atomic(true)
    private let rejected = Mutex<[Rejection.Code: Int]>([:])
    private let faults = Mutex<[RequestError.Code: Int]>([:])
    private let refused = Mutex<[Refusal: Int]>([:])
    private let unauthorized = Mutex<[Unauthorized: Int]>([:])
    private let reports = Mutex<[ReportOutcome: Int]>([:])
    private let events = Mutex<[String: Int]>([:])
    private let times = Mutex(Histogram(bounds: IngestCounters.bounds))
    private let reportTimes = Mutex(Histogram(bounds: IngestCounters.bounds))

    /// Of the time of requests, in seconds.
    private static let bounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]

    /// Why a request got 429 or 503.
    package enum Refusal: String, Sendable, CaseIterable {
        case rate, queue, disk, lag, stopping
    }

    /// Why a request got 401, 403 or 410: no key, one that is none of ours, or one that was.
    package enum Unauthorized: String, Sendable, CaseIterable {
        case missing, unknown, withdrawn
    }

    /// What became of the wish for a report.
    package enum ReportOutcome: String, Sendable, CaseIterable {
        case made, unchanged, refused, unavailable, failed

        init(status: Int) {
            switch status {
            case ..<300: self = .made
            case 304: self = .unchanged
            case ..<500: self = .refused
            case 503: self = .unavailable
            default: self = .failed
            }
        }
    }

    package init() {}

    /// - Parameter key: the name of the key that it came with.
    func count(_ tally: BatchTally, key: String) {
        newestEvent.max(tally.newestEnd, ordering: .relaxed)
        if tally.events > 0 { events.withLock { $0[key, default: 0] += tally.events } }
        eventsReceived.add(tally.events, ordering: .relaxed)
        eventsAccepted.add(tally.accepted, ordering: .relaxed)
        eventsErased.add(tally.erased, ordering: .relaxed)
        unknownFields.add(tally.unknownFields, ordering: .relaxed)
        guard !tally.rejected.isEmpty else { return }
        rejected.withLock { $0.merge(tally.rejected, uniquingKeysWith: +) }
    }

    func count(_ fault: RequestError.Code) {
        faults.withLock { $0[fault, default: 0] += 1 }
    }

    func count(_ refusal: Refusal) {
        refused.withLock { $0[refusal, default: 0] += 1 }
    }

    func count(_ reason: Unauthorized) {
        unauthorized.withLock { $0[reason, default: 0] += 1 }
    }

    /// Counts a request whose body had come: a batch, or what players report.
    func count(time: Duration) {
        times.withLock { $0.record(time / .seconds(1)) }
    }

    func count(report status: Int, time: Duration) {
        reports.withLock { $0[ReportOutcome(status: status), default: 0] += 1 }
        reportTimes.withLock { $0.record(time / .seconds(1)) }
    }

    var requestTimes: Histogram { times.withLock { $0 } }
    var timesOfReports: Histogram { reportTimes.withLock { $0 } }

    var unauthorizedByReason: [(String, Int)] {
        let counts = unauthorized.withLock { $0 }
        return Unauthorized.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }

    var reportsByOutcome: [(String, Int)] {
        let counts = reports.withLock { $0 }
        return ReportOutcome.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }

    /// Events by the name of their key; those of keys without any, too.
    func eventsByKey(_ names: [String]) -> [(String, Int)] {
        let counts = events.withLock { $0 }
        return Set(names).union(counts.keys).sorted().map { ($0, counts[$0] ?? 0) }
    }

    /// Every code with its count, those that never happened too.
    package var rejectedByCode: [(String, Int)] {
        let counts = rejected.withLock { $0 }
        return Rejection.Code.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }

    package var faultsByCode: [(String, Int)] {
        let counts = faults.withLock { $0 }
        return RequestError.Code.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }

    package var refusedByReason: [(String, Int)] {
        let counts = refused.withLock { $0 }
        return Refusal.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }
}

/// What is counted of a batch once it is durable.
struct BatchTally: Sendable {
    let accepted: Int
    let unknownFields: Int
    /// When the last of the accepted events ended, ms since 1970; 0 without one.
    let newestEnd: Int64
    /// Events of those who were erased, accepted or rejected: nothing of them is kept.
    var erased = 0
    private(set) var rejected: [Rejection.Code: Int] = [:]

    init(_ batch: borrowing PlayBatch) {
        accepted = batch.plays.count
        unknownFields = batch.unknownFields
        var newest: Int64 = 0
        for play in batch.plays { newest = max(newest, play.endedAt) }
        newestEnd = newest
        for rejection in batch.rejections { rejected[rejection.code, default: 0] += 1 }
    }

    /// Every one of its events was rejected, and there was one.
    var isAllRejected: Bool { accepted == 0 && !rejected.isEmpty }

    var events: Int { accepted + rejected.values.reduce(0, +) }
}
