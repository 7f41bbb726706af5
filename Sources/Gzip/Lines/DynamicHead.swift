/// What tells a reader the codes of a block (RFC 1951, 3.2.7).
struct DynamicHead {
    /// A symbol of the code for lengths, and its further bits.
    private struct Run {
        var symbol: Int
        var value: UInt64 = 0
        var extra: UInt64 = 0
    }

    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private let literals: Int
    private let distances: Int
    private let runs: [Run]
    private let code: HuffmanCode
    private let codeLengths: Int

    init(literals: [UInt8], distances: [UInt8]) {
        self.literals = max(257, (literals.lastIndex { $0 > 0 } ?? 0) + 1)
        self.distances = max(1, (distances.lastIndex { $0 > 0 } ?? 0) + 1)
        let lengths = literals[..<self.literals] + distances[..<self.distances]
        runs = Self.runs(of: Array(lengths))
        var counts = [UInt32](repeating: 0, count: 19)
        for run in runs { counts[run.symbol] += 1 }
        let code = HuffmanCode(counts: counts, limit: 7)
        self.code = code
        codeLengths = max(4, (Self.order.lastIndex { code.lengths[$0] > 0 } ?? 0) + 1)
    }

    private static func runs(of lengths: [UInt8]) -> [Run] {
        var runs: [Run] = []
        var position = 0
        while position < lengths.count {
            let length = lengths[position]
            var count = 1
            while position + count < lengths.count, lengths[position + count] == length { count += 1 }
            position += count
            if length > 0 {
                runs.append(Run(symbol: Int(length)))
                count -= 1
            }
            while count >= 3 {
                let most = length > 0 ? 6 : count > 10 ? 138 : 10
                let part = min(count, most)
                switch most {
                case 6: runs.append(Run(symbol: 16, value: UInt64(part - 3), extra: 2))
                case 10: runs.append(Run(symbol: 17, value: UInt64(part - 3), extra: 3))
                default: runs.append(Run(symbol: 18, value: UInt64(part - 11), extra: 7))
                }
                count -= part
            }
            for _ in 0..<count { runs.append(Run(symbol: Int(length))) }
        }
        return runs
    }

    /// How many bits it takes.
    var bits: Int {
        14 + 3 * codeLengths + runs.reduce(0) { $0 + Int(code.lengths[$1.symbol]) + Int($1.extra) }
    }

    func write(to writer: inout BitWriter) {
        writer.put(UInt64(literals - 257), bits: 5)
        writer.put(UInt64(distances - 1), bits: 5)
        writer.put(UInt64(codeLengths - 4), bits: 4)
        for symbol in Self.order.prefix(codeLengths) { writer.put(UInt64(code.lengths[symbol]), bits: 3) }
        for run in runs {
            writer.put(UInt64(code.codes[run.symbol]), bits: UInt64(code.lengths[run.symbol]))
            if run.extra > 0 { writer.put(run.value, bits: run.extra) }
        }
    }
}
