import Reports
import TestSupport
import Testing

@Suite("An export of a store that several servers feed")
struct ManyLogsTests {
    /// A store whose numbers of plays say nothing about which came last.
    private struct ManyLogs: ReportStore {
        let store: any ReportStore
        /// What is added to the numbers.
        var shift: Int64 = 0

        func marks() throws -> StoreMarks {
            var marks = try store.marks()
            marks.lastReport += shift
            marks.grow = false
            return marks
        }

        func hours(in hours: ClosedRange<Int64>?) throws -> [StoredHour] {
            try store.hours(in: hours).map { hour in
                StoredHour(number: hour.number, plays: hour.plays, lastArrival: hour.lastArrival + shift)
            }
        }

        func play(arrival: Int64, hour: Int64) throws -> String? { try store.play(arrival: arrival, hour: hour) }
        func report(number: Int64) throws -> String? { try store.report(number: number) }
        func firstReceipt(afterReport number: Int64) throws -> Int64? { try store.firstReceipt(afterReport: number) }
        func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try store.snapshot(body) }
        func sums(_ question: SumsQuestion) throws -> [PeriodSums] { try store.sums(question) }
        func plays(byTag name: String, _ scope: PlayScope, in range: Range<Int64>?) throws -> [String: Int64] {
            try store.plays(byTag: name, scope, in: range)
        }
        func deliveries(_ question: DeliveryQuestion) throws -> [[SenderSums]] { try store.deliveries(question) }
        func values(of dimension: PlayDimension, among wanted: [ByteText]?, most: Int) throws -> [ByteText] {
            try store.values(of: dimension, among: wanted, most: most)
        }
        func counts(_ scope: PlayScope, in times: Range<Int64>?) throws -> [GroupKey: Int64] {
            try store.counts(scope, in: times)
        }
        func plays(_ question: PlaysQuestion) throws -> ChosenPlays { try store.plays(question) }
        func receipts(in hours: ClosedRange<Int64>?) throws -> ReceiptCounts { try store.receipts(in: hours) }
        func strata(_ question: SumsQuestion, by strata: [PlayDimension]) throws -> [[GroupKey: [StratumSums]]] {
            try store.strata(question, by: strata)
        }
        func adjusted(
            _ question: SumsQuestion, by strata: [PlayDimension],
            weights: [[GroupKey: [GroupKey: ByMeasure<StratumWeights?>]]]
        ) throws -> [[GroupKey: ByMeasure<AdjustedSums>]] {
            try store.adjusted(question, by: strata, weights: weights)
        }
    }

    @Test("counts every day anew, and still finds what has changed")
    func recomputed() throws {
        let cases = try CaseStore("tiny-by-hand", requests: 5)
        let folder = try TemporaryFolder()
        let exporter = Exporter(ManyLogs(store: cases.store), ExportRequest())
        _ = try exporter.export(to: folder.path)
        try cases.load(upTo: cases.requests)
        let second = try exporter.export(to: folder.path)
        #expect(second.recomputedDays == second.days)
        #expect(second.changedCells > 0)
        let third = try exporter.export(to: folder.path)
        #expect(third.recomputedDays == third.days)
        #expect(third.changedCells == 0)
    }

    @Test("still finds what has changed when it reads a copy that has not got the newest play yet")
    func laggingCopy() throws {
        let cases = try CaseStore("tiny-by-hand", requests: 5)
        let folder = try TemporaryFolder()
        _ = try Exporter(ManyLogs(store: cases.store, shift: 1_000), ExportRequest())
            .export(to: folder.path)
        try cases.load(upTo: cases.requests)
        let second = try Exporter(ManyLogs(store: cases.store), ExportRequest()).export(to: folder.path)
        #expect(second.changedCells > 0)
    }
}
