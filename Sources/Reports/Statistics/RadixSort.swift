/// Sorts many whole numbers that are not negative by their bytes, the lowest first: several times as fast as by comparing.
enum RadixSort {
    /// Fewer are sorted sooner by comparing.
    private static let fewest = 1_024

    static func sort(_ values: inout [Int64]) {
        guard values.count >= fewest, values.allSatisfy({ $0 >= 0 }) else { return values.sort() }
        let most = values.reduce(0) { $0 | $1 }
        var other = values
        for shift in stride(from: 0, to: 64 - most.leadingZeroBitCount, by: 8) {
            place(values, into: &other, by: shift)
            swap(&values, &other)
        }
    }

    static func sort(_ values: inout [Int128]) {
        guard values.count >= fewest, values.allSatisfy({ (0...Int128(Int64.max)).contains($0) }) else {
            return values.sort()
        }
        var narrow = values.map { Int64(truncatingIfNeeded: $0) }
        sort(&narrow)
        values = narrow.map { Int128($0) }
    }

    /// Orders values by one of their bytes; those that have it alike stay as they are.
    private static func place(_ values: [Int64], into places: inout [Int64], by shift: Int) {
        var next = [Int](repeating: 0, count: 257)
        for value in values { next[Int(value >> shift & 0xFF) + 1] += 1 }
        for byte in 1..<257 { next[byte] += next[byte - 1] }
        for value in values {
            let byte = Int(value >> shift & 0xFF)
            places[next[byte]] = value
            next[byte] += 1
        }
    }
}
