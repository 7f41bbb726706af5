/// A canonical prefix code (RFC 1951, 3.2.2): how many bits each symbol takes, and which.
struct HuffmanCode {
    /// 0 for a symbol that does not occur.
    private(set) var lengths: [UInt8]
    /// Bits in the order in which they are written: the lowest first.
    private(set) var codes: [UInt16]

    init(lengths: [UInt8]) {
        self.lengths = lengths
        codes = Self.codes(of: lengths)
    }

    /// The shortest code for symbols that occur so often, none of its lengths above a limit.
    ///
    /// A limit that the best code exceeds is met by evening out the counts, which costs a fraction of a bit.
    ///
    /// - Parameters:
    ///   - counts: how often each symbol occurs; fewer than 2³¹ together.
    ///   - limit: at most 15, and enough for the number of symbols.
    /// - Complexity: O(*n* log *n*).
    init(counts: [UInt32], limit: UInt8) {
        var counts = counts
        // A code of a single symbol would have no bits.
        for symbol in 0..<2 where counts.count(where: { $0 > 0 }) < 2 && counts[symbol] == 0 { counts[symbol] = 1 }
        var lengths = Self.lengths(counts)
        while lengths.contains(where: { $0 > limit }) {
            for symbol in counts.indices where counts[symbol] > 0 { counts[symbol] = counts[symbol] >> 1 | 1 }
            lengths = Self.lengths(counts)
        }
        self.init(lengths: lengths)
    }

    /// Huffman's lengths by two queues: the symbols by count, and the pairs in the order in which they were made.
    private static func lengths(_ counts: [UInt32]) -> [UInt8] {
        let symbols = counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$0], $0) < (counts[$1], $1) }
        let leaves = symbols.count
        var weights = symbols.map { UInt64(counts[$0]) }
        var parents = [Int](repeating: 0, count: leaves)
        var leaf = 0
        var pair = leaves
        while weights.count < 2 * leaves - 1 {
            var sum: UInt64 = 0
            for _ in 0..<2 {
                let takesLeaf = leaf < leaves && (pair >= weights.count || weights[leaf] <= weights[pair])
                let taken = takesLeaf ? leaf : pair
                if takesLeaf { leaf += 1 } else { pair += 1 }
                sum += weights[taken]
                parents[taken] = weights.count
            }
            weights.append(sum)
            parents.append(0)
        }
        var depths = [UInt8](repeating: 0, count: weights.count)
        for node in stride(from: weights.count - 2, through: 0, by: -1) { depths[node] = depths[parents[node]] + 1 }
        var lengths = [UInt8](repeating: 0, count: counts.count)
        for (position, symbol) in symbols.enumerated() { lengths[symbol] = depths[position] }
        return lengths
    }

    private static func codes(of lengths: [UInt8]) -> [UInt16] {
        var next = [UInt32](repeating: 0, count: 17)
        for length in lengths where length > 0 { next[Int(length) + 1] += 1 }
        for length in 1...15 { next[length + 1] = (next[length] + next[length + 1]) << 1 }
        // `next[n]` is now the first code of n bits.
        return lengths.map { length in
            guard length > 0 else { return 0 }
            let code = next[Int(length)]
            next[Int(length)] += 1
            return reversed(UInt16(truncatingIfNeeded: code), bits: length)
        }
    }

    private static func reversed(_ code: UInt16, bits: UInt8) -> UInt16 {
        var source = code
        var result: UInt16 = 0
        for _ in 0..<bits {
            result = result << 1 | source & 1
            source >>= 1
        }
        return result
    }
}
