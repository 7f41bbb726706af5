import PlaybackEvents
import Reports
import Synchronization

/// A store that counts what it is asked, and may be kept from answering.
struct RecordingStore: ReportStore {
    /// What the store was asked, in order.
    final class Record: Sendable {
        private let questions = Mutex<[String]>([])

        func add(_ question: String) { questions.withLock { $0.append(question) } }

        func count(_ question: String) -> Int { questions.withLock { $0.count { $0 == question } } }

        func clear() { questions.withLock { $0.removeAll() } }
    }

    let store: any ReportStore
    let record: Record
    /// Called before the sums of groups are counted.
    var beforeSums: @Sendable (SumsQuestion) throws -> Void = { _ in }

    func sums(_ question: SumsQuestion) throws -> [PeriodSums] {
        record.add("sums")
        try beforeSums(question)
        return try store.sums(question)
    }

    func values(of dimension: PlayDimension, among wanted: [ByteText]?, most: Int) throws -> [ByteText] {
        record.add("values")
        return try store.values(of: dimension, among: wanted, most: most)
    }

    func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try store.snapshot(body) }
    func hours(in hours: ClosedRange<Int64>?) throws -> [StoredHour] { try store.hours(in: hours) }
    func strata(_ question: SumsQuestion, by strata: [PlayDimension]) throws -> [[GroupKey: [StratumSums]]] {
        try store.strata(question, by: strata)
    }
    func adjusted(
        _ question: SumsQuestion, by strata: [PlayDimension],
        weights: [[GroupKey: [GroupKey: ByMeasure<StratumWeights?>]]]
    ) throws -> [[GroupKey: ByMeasure<AdjustedSums>]] {
        try store.adjusted(question, by: strata, weights: weights)
    }
    func plays(byTag name: String, _ scope: PlayScope, in range: Range<Int64>?) throws -> [String: Int64] {
        try store.plays(byTag: name, scope, in: range)
    }
    func deliveries(_ question: DeliveryQuestion) throws -> [[SenderSums]] { try store.deliveries(question) }
    func counts(_ scope: PlayScope, in times: Range<Int64>?) throws -> [GroupKey: Int64] {
        try store.counts(scope, in: times)
    }
    func plays(_ question: PlaysQuestion) throws -> ChosenPlays { try store.plays(question) }
    func receipts(in hours: ClosedRange<Int64>?) throws -> ReceiptCounts { try store.receipts(in: hours) }
    func marks() throws -> StoreMarks { try store.marks() }
    func play(arrival: Int64, hour: Int64) throws -> String? { try store.play(arrival: arrival, hour: hour) }
    func report(number: Int64) throws -> String? { try store.report(number: number) }
    func firstReceipt(afterReport number: Int64) throws -> Int64? { try store.firstReceipt(afterReport: number) }
}
