import PlayStore
import PlaybackEvents
import Testing

@Suite("A made identifier")
struct MadePlayIdTests {
    @Test("never changes")
    func stable() {
        let id = MadePlayId.make(requestId: Identifier128(high: 0x0123_4567_89AB_CDEF, low: 42), index: 3)
        #expect(id.uuidText == "364b2448-20c3-8aa7-95ca-98eda2121e15")
    }

    @Test("has the form of version 8, whatever it is made of")
    func form() {
        for number in 0..<1_000 as Range<UInt64> {
            let id = MadePlayId.make(requestId: Identifier128(high: number << 40, low: ~number), index: Int32(number))
            #expect(id.high >> 12 & 0xF == 8)
            #expect(id.low >> 62 == 2)
        }
    }

    @Test("differs for each event of each request")
    func distinct() {
        var ids: Set<Identifier128> = []
        for request in 0..<200 as Range<UInt64> {
            for index in 0..<200 as Range<Int32> {
                ids.insert(MadePlayId.make(requestId: Identifier128(high: 0, low: request), index: index))
                ids.insert(MadePlayId.make(requestId: Identifier128(high: request + 1, low: 0), index: index))
            }
        }
        #expect(ids.count == 80_000)
    }
}
