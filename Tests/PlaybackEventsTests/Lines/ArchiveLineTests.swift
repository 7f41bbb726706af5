import PlaybackEvents
import TestSupport
import Testing

@Suite("A line of the archive")
struct ArchiveLineTests {
    @Test("reads back as the play that was written", arguments: ValidationCase.all)
    func readsBack(_ example: ValidationCase) throws {
        let receipt = Receipt(
            receivedAt: example.receivedAt ?? Request.receivedAt, requestId: Identifier128(high: 1, low: 2))
        guard let batch = try? RequestDecoder.decode(example.body, receipt: receipt) else { return }
        let lines = RoundTrip.lines(of: batch)
        #expect(lines.filter { $0 == 0x0A }.count == batch.plays.count + (batch.account == nil ? 0 : 1))
        RoundTrip.expectSame(batch, try RoundTrip.read(lines))
    }
}
