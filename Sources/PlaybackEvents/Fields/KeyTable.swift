/// Finds the known name that a JSON key is, eight bytes at a time.
struct KeyTable: Sendable {
    /// A name in quotes as three words, each with a mask of the bytes that count.
    struct Pattern: Sendable {
        /// With both quotes.
        var length = 0
        var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
        var masks: (UInt64, UInt64, UInt64) = (0, 0, 0)
    }

    /// The longest name with its quotes.
    static let longest = 24
    static let none = UInt8.max
    private static let slotBits: UInt64 = 7

    private var patterns: [Pattern] = []
    /// Open addressing by the first word.
    private var slots = [UInt8](repeating: KeyTable.none, count: 1 << Int(KeyTable.slotBits))

    /// - Precondition: fewer than 64 names of 1 to 22 ASCII bytes, all different.
    init(_ names: [String]) {
        for (number, name) in names.enumerated() {
            let pattern = Self.pattern(of: name)
            patterns.append(pattern)
            var slot = Self.slot(of: pattern.words.0)
            while slots[slot] != Self.none { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt8(number)
        }
    }

    /// The length of a name in quotes when it stands at a place, else 0.
    ///
    /// - Precondition: ``longest`` bytes from the place on are there.
    @inline(__always)
    func matchLength(of number: UInt8, at position: Int, in bytes: RawSpan) -> Int {
        let pattern = patterns[Int(number)]
        guard bytes.word(position) & pattern.masks.0 == pattern.words.0 else { return 0 }
        guard pattern.length > 8 else { return pattern.length }
        guard bytes.word(position &+ 8) & pattern.masks.1 == pattern.words.1 else { return 0 }
        guard pattern.length > 16 else { return pattern.length }
        return bytes.word(position &+ 16) & pattern.masks.2 == pattern.words.2 ? pattern.length : 0
    }

    /// The number of the name that stands in quotes at a place, ``none`` for any other key.
    ///
    /// - Precondition: ``longest`` bytes from the place on are there.
    @inline(__always)
    func number(at position: Int, in bytes: RawSpan) -> UInt8 {
        // Within the first word, what follows the closing quote does not count.
        let first = bytes.word(position)
        let end = ByteWord.first(ByteWord.zeros((first &>> 8) ^ ByteWord.every(UInt8(ascii: "\""))))
        return number(beginning: first & Self.mask(end &+ 2)) { matchLength(of: $0, at: position, in: bytes) > 0 }
    }

    /// The number of the name that a key is, ``none`` when it is unknown.
    ///
    /// - Parameter arena: where the key stands when it had escapes.
    func number(of key: TextSlice, in bytes: RawSpan, arena: [UInt8]) -> UInt8 {
        guard key.count > 0, Int(key.count) <= Self.longest - 2 else { return Self.none }
        var quoted = [UInt8](repeating: 0, count: Self.longest)
        quoted[0] = UInt8(ascii: "\"")
        for position in 0..<Int(key.count) { quoted[position + 1] = key.byte(position, in: bytes, arena: arena) }
        quoted[Int(key.count) + 1] = UInt8(ascii: "\"")
        let words = quoted.span.bytes
        return number(beginning: words.word(0)) { matchLength(of: $0, at: 0, in: words) == Int(key.count) + 2 }
    }

    @inline(__always)
    private func number(beginning first: UInt64, isMatch: (UInt8) -> Bool) -> UInt8 {
        var slot = Self.slot(of: first)
        while slots[slot] != Self.none {
            if isMatch(slots[slot]) { return slots[slot] }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return Self.none
    }

    /// The lowest bytes of a word, as many as are asked for.
    @inline(__always)
    private static func mask(_ count: Int) -> UInt64 {
        count >= 8 ? .max : (1 &<< UInt64(count &* 8)) &- 1
    }

    private static func pattern(of name: String) -> Pattern {
        let quoted = Array("\"\(name)\"".utf8)
        precondition(quoted.count <= longest)
        func word(_ from: Int) -> (UInt64, UInt64) {
            var word: UInt64 = 0
            var mask: UInt64 = 0
            for position in from..<from + 8 where position < quoted.count {
                word |= UInt64(quoted[position]) << UInt64((position - from) * 8)
                mask |= 0xFF << UInt64((position - from) * 8)
            }
            return (word, mask)
        }
        let (first, second, third) = (word(0), word(8), word(16))
        return Pattern(
            length: quoted.count, words: (first.0, second.0, third.0), masks: (first.1, second.1, third.1))
    }

    /// Multiplicative hashing (D. E. Knuth, "The Art of Computer Programming" 3, 6.4).
    private static func slot(of word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> (64 - slotBits))
    }
}
