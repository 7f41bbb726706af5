import PlaybackEvents
import Testing

@Suite("The contract's cases")
struct ValidationCaseTests {
    @Test("are all there")
    func areAllThere() {
        #expect(ValidationCase.all.count >= 88)
    }

    @Test("come out as they say", arguments: ValidationCase.all)
    func comeOut(_ example: ValidationCase) {
        let receipt = Receipt(receivedAt: example.receivedAt, requestId: Identifier128(high: 1, low: 2))
        let batch: PlayBatch
        do throws(RequestFault) {
            batch = try RequestDecoder.decode(example.body, receipt: receipt)
        } catch {
            #expect(error.status == example.status)
            #expect(error.code.rawValue == example.error)
            if let offset = example.offset { #expect(error.offset == offset) }
            return
        }
        let rejected = batch.rejections.map {
            ValidationCase.Expected(index: $0.index, code: $0.code.rawValue, field: $0.field)
        }
        #expect(rejected == example.rejected)
        #expect(batch.plays.count == example.accepted)
        let isAllRejected = batch.plays.isEmpty && !rejected.isEmpty
        #expect(example.status == (isAllRejected ? 400 : 202))
        #expect(example.error == (isAllRejected ? "all_rejected" : nil))
        guard let stored = example.stored else { return }
        var known: Set<Identifier128> = []
        let plays = batch.plays.filter { $0.playId.map { known.insert($0).inserted } ?? true }
            .map { play in StoredPlay(play) { batch[$0] } }
        #expect(plays.count == stored.count)
        for (play, expected) in zip(plays, stored) {
            #expect(play.matches(expected), "\(play.values) is not \(expected)")
        }
    }
}
