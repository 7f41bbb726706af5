/// The one packing of every column: the smallest value and a common power of two taken out, the rest in as few bits as the
/// largest needs; or, where that is smaller, a bit map of the values that are not the usual one (0, or -1 for absent), and
/// those values packed likewise. The same values always give the same words.
///
/// A blob is words of 32 bits, the lowest byte first: a check of the others, a header, the smallest value; with a bit map
/// the usual value, the number of the others and the map; then the packed values, those of more than 32 bits in two parts.
enum ColumnPacking {
    /// What makes no sense in a blob.
    struct Damage: Error {
        var reason: String
    }

    private struct Frame {
        var base: Int64 = 0
        /// Bits that all values less the base have as 0 at their end.
        var shift = 0
        /// Bits of a value, 0–64.
        var width = 0

        init(base: Int64, shift: Int, width: Int) {
            (self.base, self.shift, self.width) = (base, shift, width)
        }

        init<Value: FixedWidthInteger>(_ values: Span<Value>) {
            guard values.count > 0 else { return }
            var least = values[0]
            for index in values.indices { least = min(least, values[index]) }
            base = Int64(truncatingIfNeeded: least)
            var bits: UInt64 = 0
            for index in values.indices { bits |= distance(values[index]) }
            guard bits != 0 else { return }
            shift = bits.trailingZeroBitCount
            width = 64 - bits.leadingZeroBitCount - shift
        }

        /// From the smallest value, which may be further away than the largest number.
        @inline(__always)
        func distance<Value: FixedWidthInteger>(_ value: Value) -> UInt64 {
            UInt64(bitPattern: Int64(truncatingIfNeeded: value) &- base)
        }

        func words(_ count: Int) -> Int {
            LanePacking.words(count, width: min(width, 32)) + LanePacking.words(count, width: max(0, width - 32))
        }
    }

    private static let headerWords = 4
    private static let mapHeaderWords = 3
    private static let hasMap: UInt32 = 1 << 15

    /// The blob of a column.
    ///
    /// - Parameters:
    ///   - values: of which the first `count` are meant, at most 16,384.
    ///   - seed: of the check: a blob that lies where another belongs does not pass.
    static func pack<Value: FixedWidthInteger>(_ values: [Value], count: Int, seed: UInt64) -> [UInt32] {
        pack(values.span.extracting(0..<count), seed)
    }

    private static func pack<Value: FixedWidthInteger>(_ values: Span<Value>, _ seed: UInt64) -> [UInt32] {
        let whole = Frame(values)
        let usual = usualValue(of: values)
        if usual.count > 0, usual.count < values.count {
            var others: [Value] = []
            others.reserveCapacity(values.count - usual.count)
            for index in values.indices where values[index] != usual.value { others.append(values[index]) }
            let frame = Frame(others.span)
            let size = mapHeaderWords + mapWords(values.count) + frame.words(others.count)
            if size < whole.words(values.count) { return pack(values, but: usual.value, others.span, frame, seed) }
        }
        var words = header(values.count, whole, map: false)
        append(values, whole, to: &words)
        words[0] = check(words.span, seed)
        return words
    }

    private static func mapWords(_ count: Int) -> Int { (count + 31) / 32 }

    /// 0, or -1 where more values are.
    private static func usualValue<Value: FixedWidthInteger>(of values: Span<Value>) -> (value: Value, count: Int) {
        let absent = Value(truncatingIfNeeded: -1)
        var (zeros, absents) = (0, 0)
        for index in values.indices {
            if values[index] == 0 { zeros += 1 }
            if values[index] == absent { absents += 1 }
        }
        return absents > zeros ? (absent, absents) : (0, zeros)
    }

    private static func header(_ count: Int, _ frame: Frame, map: Bool) -> [UInt32] {
        let packed = UInt32(count) | (map ? hasMap : 0) | UInt32(frame.shift) << 16 | UInt32(frame.width) << 22
        return [0, packed] + halves(frame.base)
    }

    private static func halves(_ value: Int64) -> [UInt32] {
        [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
    }

    private static func pack<Value: FixedWidthInteger>(
        _ values: Span<Value>, but usual: Value, _ others: Span<Value>, _ frame: Frame, _ seed: UInt64
    ) -> [UInt32] {
        var words = header(values.count, frame, map: true)
        words += halves(Int64(truncatingIfNeeded: usual)) + [UInt32(others.count)]
        let start = words.count
        words.append(contentsOf: repeatElement(0, count: mapWords(values.count)))
        for index in values.indices where values[index] != usual {
            words[start + index >> 5] |= 1 << UInt32(index & 31)
        }
        append(others, frame, to: &words)
        words[0] = check(words.span, seed)
        return words
    }

    private static func append<Value: FixedWidthInteger>(
        _ values: Span<Value>, _ frame: Frame, to words: inout [UInt32]
    ) {
        let shift = UInt64(frame.shift)
        LanePacking.pack(values.count, width: min(frame.width, 32), to: &words) { index in
            UInt32(truncatingIfNeeded: frame.distance(values[index]) >> shift)
        }
        LanePacking.pack(values.count, width: max(0, frame.width - 32), to: &words) { index in
            UInt32(truncatingIfNeeded: frame.distance(values[index]) >> (shift + 32))
        }
    }

    // MARK: Reading

    /// The values of a blob.
    ///
    /// - Parameters:
    ///   - values: has room for 16,384, and has them from its beginning on.
    ///   - seed: that of packing.
    /// - Returns: how many they are.
    /// - Throws: ``Damage`` for words that ``pack(_:seed:)`` has not made.
    /// - Complexity: 0.3–1.1 ns a value.
    static func unpack<Value: FixedWidthInteger>(
        _ words: Span<UInt32>, seed: UInt64, into values: inout [Value]
    ) throws(Damage) -> Int {
        guard words.count >= headerWords else { throw Damage(reason: "it is cut off") }
        guard words[0] == check(words, seed) else { throw Damage(reason: "its check does not match") }
        let header = words[1]
        let count = Int(header & 0x7FFF)
        let frame = Frame(
            base: whole(words[2], words[3]), shift: Int(header >> 16 & 63), width: Int(header >> 22 & 127))
        guard count <= PlayColumns.mostPlays, values.count >= PlayColumns.mostPlays else {
            throw Damage(reason: "it has \(count) values")
        }
        guard frame.shift + frame.width <= Value.bitWidth else {
            throw Damage(reason: "its values have \(frame.shift + frame.width) bits")
        }
        guard header & hasMap != 0 else {
            try unpack(count, frame, words.extracting(headerWords..<words.count), into: &values)
            return count
        }
        let start = headerWords + mapHeaderWords
        guard words.count >= start + mapWords(count) else { throw Damage(reason: "it is cut off") }
        let others = Int(words[start - 1])
        guard others <= count else { throw Damage(reason: "it has \(others) of \(count) values") }
        let map = words.extracting(start..<start + mapWords(count))
        try unpack(others, frame, words.extracting(start + mapWords(count)..<words.count), into: &values)
        let usual = Value(truncatingIfNeeded: whole(words[4], words[5]))
        try spread(count, others, map, usual, in: &values)
        return count
    }

    private static func whole(_ low: UInt32, _ high: UInt32) -> Int64 {
        Int64(bitPattern: UInt64(high) << 32 | UInt64(low))
    }

    private static func unpack<Value: FixedWidthInteger>(
        _ count: Int, _ frame: Frame, _ words: Span<UInt32>, into values: inout [Value]
    ) throws(Damage) {
        guard words.count == frame.words(count) else {
            throw Damage(reason: "it has \(words.count) words of \(frame.words(count))")
        }
        let base = Value(truncatingIfNeeded: frame.base)
        let shift = Value(truncatingIfNeeded: frame.shift)
        guard frame.width > 0 else {
            var target = values.mutableSpan
            for index in 0..<count { target[index] = base }
            return
        }
        let low = LanePacking.words(count, width: min(frame.width, 32))
        LanePacking.unpack(
            count, width: min(frame.width, 32), from: words.extracting(0..<low), base: base, shift: shift,
            into: &values)
        guard frame.width > 32 else { return }
        LanePacking.unpack(
            count, width: frame.width - 32, from: words.extracting(low..<words.count), base: nil, shift: shift &+ 32,
            into: &values)
    }

    /// Moves the values that are not the usual one to where they belong, from the last to the first: none lies behind its
    /// place, so each is read before something else is written there.
    private static func spread<Value: FixedWidthInteger>(
        _ count: Int, _ others: Int, _ map: Span<UInt32>, _ usual: Value, in values: inout [Value]
    ) throws(Damage) {
        var marked = 0
        for index in map.indices { marked += map[index].nonzeroBitCount }
        guard marked == others else { throw Damage(reason: "its map has \(marked) of \(others) values") }
        var target = values.mutableSpan
        var next = others
        var word = map.count
        while word > 0 {
            word &-= 1
            let bits = map[word]
            let start = word &* 32
            var lane = min(32, count &- start)
            while lane > 0 {
                lane &-= 1
                let isOther = Int(bits &>> UInt32(lane) & 1)
                next &-= isOther
                target[start &+ lane] = isOther == 1 ? target[next] : usual
            }
        }
    }

    // MARK: Check

    /// Tells any one word that is not as it was, and nearly all other damage.
    static func check(_ words: Span<UInt32>, _ seed: UInt64) -> UInt32 {
        var sums = InlineArray<8, UInt32>(repeating: UInt32(truncatingIfNeeded: seed))
        var weighted = InlineArray<8, UInt32>(repeating: UInt32(truncatingIfNeeded: seed >> 32))
        var index = 1
        while index &+ 8 <= words.count {
            let group = words.extracting(index..<index &+ 8)
            for lane in 0..<8 {
                sums[lane] &+= group[lane]
                weighted[lane] &+= sums[lane]
            }
            index &+= 8
        }
        while index < words.count {
            sums[0] &+= words[index]
            weighted[0] &+= sums[0]
            index &+= 1
        }
        var check = UInt32(truncatingIfNeeded: words.count)
        for lane in 0..<8 {
            check = (check ^ sums[lane]) &* 0x9E37_79B1
            check = (check ^ check >> 15 ^ weighted[lane]) &* 0x85EB_CA77
        }
        return check ^ check >> 13
    }
}
