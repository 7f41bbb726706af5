import Foundation
import PlaybackEvents
import TestSupport
import Testing

@Suite("The contract's cases")
struct ValidationCaseTests {
    @Test("come out as they say", arguments: ValidationCase.all)
    func comeOut(_ example: ValidationCase) throws {
        let batch: PlayBatch
        do throws(RequestError) {
            batch = try Request.decode(example.body, receivedAt: example.receivedAt ?? Request.receivedAt)
        } catch {
            #expect(error.status == example.status)
            #expect(error.code.rawValue == example.error)
            if let offset = example.offset { #expect(error.offset == offset) }
            return
        }
        let rejected = batch.rejections.map {
            ValidationCase.Rejected(index: $0.index, code: $0.code.rawValue, field: $0.field)
        }
        #expect(rejected == example.rejected)
        #expect(batch.plays.count == example.accepted)
        let isAllRejected = batch.plays.isEmpty && !rejected.isEmpty
        #expect(example.status == (isAllRejected ? 400 : 202))
        #expect(example.error == (isAllRejected ? "all_rejected" : nil))
        guard let stored = example.stored else { return }
        let expected = try JSONDecoder().decode([[String: StoredValue]].self, from: stored)
        // A store keeps the first of two plays with one id.
        var known: Set<Identifier128> = []
        let plays = batch.plays.filter { $0.playId.map { known.insert($0).inserted } ?? true }
            .map { play in StoredPlay(play) { batch[$0] } }
        #expect(plays.count == expected.count)
        for (play, expected) in zip(plays, expected) {
            #expect(play.matches(expected), "\(play.values) is not \(expected)")
        }
    }
}
