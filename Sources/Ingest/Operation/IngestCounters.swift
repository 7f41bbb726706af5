internal import PlaybackEvents
package import Synchronization

/// What the endpoint has done since it started; every counter only rises.
///
/// received = accepted + rejected, at every moment at which no request is half-way.
package final class IngestCounters: Sendable {
    package let eventsReceived = Atomic(0)
    package let eventsAccepted = Atomic(0)
    package let unknownFields = Atomic(0)
    private let rejected = Mutex<[Rejection.Code: Int]>([:])
    private let faults = Mutex<[RequestFault.Code: Int]>([:])
    private let refused = Mutex<[Refusal: Int]>([:])

    /// Why a request got 429 or 503.
    package enum Refusal: String, Sendable, CaseIterable {
        case rate, queue, disk, lag, stopping
    }

    package init() {}

    func count(_ tally: BatchTally) {
        eventsReceived.add(tally.events, ordering: .relaxed)
        eventsAccepted.add(tally.accepted, ordering: .relaxed)
        unknownFields.add(tally.unknownFields, ordering: .relaxed)
        guard !tally.rejected.isEmpty else { return }
        rejected.withLock { $0.merge(tally.rejected, uniquingKeysWith: +) }
    }

    func count(_ fault: RequestFault.Code) {
        faults.withLock { $0[fault, default: 0] += 1 }
    }

    func count(_ refusal: Refusal) {
        refused.withLock { $0[refusal, default: 0] += 1 }
    }

    /// Every code with its count, those that never happened too.
    package var rejectedByCode: [(String, Int)] {
        let counts = rejected.withLock { $0 }
        return Rejection.Code.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }

    package var faultsByCode: [(String, Int)] {
        let counts = faults.withLock { $0 }
        return RequestFault.Code.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }

    package var refusedByReason: [(String, Int)] {
        let counts = refused.withLock { $0 }
        return Refusal.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }
}
