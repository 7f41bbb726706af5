/// Whole numbers of a few bits each in words of 32, in 32 lanes side by side: value *i* lies in lane *i* mod 32, and the
/// words of all lanes alternate. So the inner loop does the same to 32 neighbours, and the compiler makes it a vector's.
enum LanePacking {
    static let lanes = 32

    /// Words for so many values.
    ///
    /// - Parameter width: bits of a value, 0–32.
    static func words(_ count: Int, width: Int) -> Int {
        (rows(count) * width + lanes - 1) / lanes * lanes
    }

    private static func rows(_ count: Int) -> Int { (count + lanes - 1) / lanes }

    /// Appends values.
    ///
    /// - Parameter value: the value at an index; its lowest `width` bits are meant, and all above them are 0.
    @inline(__always)
    static func pack(_ count: Int, width: Int, to words: inout [UInt32], _ value: (Int) -> UInt32) {
        guard width > 0 else { return }
        let start = words.count
        words.append(contentsOf: repeatElement(0, count: self.words(count, width: width)))
        for row in 0..<rows(count) {
            let bit = row * width
            let word = start + (bit >> 5) * lanes
            let offset = UInt32(bit & 31)
            let isCut = Int(offset) + width > lanes
            for lane in 0..<min(lanes, count - row * lanes) {
                let value = value(row * lanes + lane)
                words[word + lane] |= value &<< offset
                if isCut { words[word + lanes + lane] |= value &>> (32 - offset) }
            }
        }
    }

    /// Reads values: each is `base` and the packed value times 2^`shift`, in the arithmetic of their type.
    ///
    /// - Parameters:
    ///   - words: exactly those that ``pack(_:width:to:_:)`` has appended.
    ///   - base: nil adds to the values that are there.
    ///   - values: has room for `count`, rounded up to whole groups of 32.
    /// - Complexity: 0.2–0.6 ns a value.
    @inline(__always)
    static func unpack<Value: FixedWidthInteger>(
        _ count: Int, width: Int, from words: Span<UInt32>, base: Value?, shift: Value, into values: inout [Value]
    ) {
        let mask: UInt32 = width == 32 ? .max : (1 << UInt32(width)) - 1
        var target = values.mutableSpan
        for row in 0..<rows(count) {
            let bit = row &* width
            let word = (bit >> 5) &* lanes
            let offset = UInt32(bit & 31)
            let low = words.extracting(word..<word &+ lanes)
            var group = InlineArray<32, UInt32>(repeating: 0)
            if Int(offset) &+ width <= 32 {
                for lane in 0..<32 { group[lane] = (low[lane] &>> offset) & mask }
            } else {
                let high = words.extracting(word &+ lanes..<word &+ 2 &* lanes)
                let back = 32 &- offset
                for lane in 0..<32 { group[lane] = ((low[lane] &>> offset) | (high[lane] &<< back)) & mask }
            }
            let start = row &* lanes
            if let base {
                for lane in 0..<32 {
                    target[start &+ lane] = base &+ Value(truncatingIfNeeded: group[lane]) &<< shift
                }
            } else {
                for lane in 0..<32 { target[start &+ lane] &+= Value(truncatingIfNeeded: group[lane]) &<< shift }
            }
        }
    }
}
