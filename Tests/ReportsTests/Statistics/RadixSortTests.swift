import Testing

@testable import Reports

@Suite("Sorting by bytes")
struct RadixSortTests {
    @Test("sorts as comparing does, few and many, small and large", arguments: [0, 1, 1_023, 1_024, 5_000])
    func sort(_ count: Int) {
        var random = SplitMix(seed: UInt64(count))
        for bits in [UInt64(1), 8, 9, 33, 63] {
            let values = (0..<count).map { _ in Int64(random.next() >> (64 - bits)) }
            var narrow = values
            RadixSort.sort(&narrow)
            #expect(narrow == values.sorted())
            var wide = values.map { Int128($0) << (bits == 63 ? 3 : 0) }
            let sorted = wide.sorted()
            RadixSort.sort(&wide)
            #expect(wide == sorted)
        }
    }

    @Test("sorts negative numbers too")
    func negative() {
        let values = (0..<2_000).map { Int64($0 % 7 - 3) }
        var sorted = values
        RadixSort.sort(&sorted)
        #expect(sorted == values.sorted())
    }
}
