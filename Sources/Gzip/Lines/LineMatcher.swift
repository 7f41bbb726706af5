internal import Glibc

/// Finds repetitions in lines that resemble each other, as those of a log of JSON objects with the same keys do.
///
/// It walks over the text and, beside it, over the line before. While the two are equal, that is a repetition; where they
/// differ, in a value, both go on to where the value ends. Only where that leads nowhere (a key that one of the two
/// lacks, another kind of line, another word) it looks up where the next eight bytes were met last.
struct LineMatcher {
    private static let shortest = 4
    /// How far the end of a value is looked for in the line before.
    private static let longestValue = 512

    private let text: UnsafeRawBufferPointer
    private let memory: CompressionMemory
    private var position = 0
    /// The place in the line before that corresponds; -1 for none.
    private var model = -1
    /// The beginning and the end of the line at hand.
    private var lineStart = 0
    private var lineEnd = -1
    /// Lines of another kind among the others: they are compared with each other, and the lines round them as if they were
    /// not there.
    private var isErased = false
    /// Lines of the usual kind since the last of the other.
    private var plainLines = 2
    /// Where the last line of each kind begins; -1 before the first.
    private var lastPlain = -1
    private var lastErased = -1
    private static let erased: UInt64 = "{\"erased".utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    /// A repetition of so many bytes is good enough in a line of that kind.
    private static let longEnough = 32

    /// Begins a text; sixteen bytes behind it must be readable.
    init(_ text: UnsafeRawBufferPointer, in memory: CompressionMemory) {
        self.text = text
        self.memory = memory
        memory.met.update(repeating: -1, count: 1 << Int(CompressionMemory.tableBits))
    }

    var isAtEnd: Bool { position >= text.count }

    /// Takes the next block.
    mutating func next() -> DeflateBlock {
        var block = DeflateBlock(at: position, in: memory)
        guard let base = text.baseAddress else { return block }
        let end = text.count
        let limit = min(end, position + CompressionMemory.blockBytes)
        var position = position
        var model = model
        var literals = position
        while position < limit {
            if position > lineEnd {
                endLine(before: position, base, end)
                plainLines = isErased ? 0 : plainLines &+ 1
                // The line before, or the one behind that with which it was compared, is of the other kind.
                if plainLines <= 2 { model = self.model(of: position) ?? model }
                if isErased { lastErased = lineStart } else { lastPlain = lineStart }
            }
            if repeats(base, position, model, end) {
                let most = min(end, limit &+ DeflateSymbols.longestMatch) &- position
                let length = min(Self.equalBytes(base + position, base + model, atMost: most), most)
                let plain = UnsafeRawBufferPointer(start: base + literals, count: position &- literals)
                block.add(plain, length: length, distance: position &- model)
                position &+= length
                model &+= length
                literals = position
                continue
            }
            if !Self.isEdge(base, position) {
                // A word may have been met before; a number is not looked for.
                if base.load(fromByteOffset: position, as: UInt8.self) >= UInt8(ascii: "A") {
                    let known = meet(base, position)
                    if repeats(base, position, known, end) {
                        model = known
                        continue
                    }
                }
                repeat { position &+= 1 } while position < end && !Self.isEdge(base, position)
            }
            if model >= 0 {
                let last = min(model &+ Self.longestValue, position &- 1)
                while model < last, !Self.isEdge(base, model) { model &+= 1 }
            }
            guard position < end else { break }
            var known = meet(base, position)
            if isErased, !repeats(base, position, model, end) { known = search(base, position, end) }
            if repeats(base, position, model, end) { continue }
            if repeats(base, position, known, end) { model = known } else { position &+= 1 }
        }
        if literals < position {
            block.add(
                UnsafeRawBufferPointer(start: base + literals, count: position &- literals), length: 0, distance: 1)
        }
        self.position = position
        self.model = model
        return block
    }

    /// Notes where a line ended, so that one of its kind is found again.
    private mutating func endLine(before position: Int, _ base: UnsafeRawPointer, _ end: Int) {
        if lineEnd >= 0 { _ = meet(base, lineEnd) }
        // A repetition may have reached over several lines.
        var start = position
        while start > lineEnd &+ 1, base.load(fromByteOffset: start &- 1, as: UInt8.self) != 0x0A { start &-= 1 }
        isErased = base.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian == Self.erased
        lineStart = start
        let next = position < end ? memchr(base + position, 0x0A, end &- position) : nil
        lineEnd = next.map { UnsafeRawPointer($0) - base } ?? end
    }

    /// The place in the line before of the same kind, at the beginning of a line next to which there is one of the other.
    private func model(of position: Int) -> Int? {
        let last = isErased ? lastErased : lastPlain
        return last < 0 ? nil : last + position - lineStart
    }

    /// The nearest long repetition of what stands at a place, or the longest.
    ///
    /// - Returns: where it begins; -1 without any.
    /// - Complexity: O(the bytes that a repetition can reach).
    private func search(_ base: UnsafeRawPointer, _ position: Int, _ end: Int) -> Int {
        guard position &+ Self.shortest <= end else { return -1 }
        let word = base.loadUnaligned(fromByteOffset: position, as: UInt32.self)
        var best = (at: -1, length: 0)
        var candidate = position &- 1
        while candidate >= max(0, position &- DeflateSymbols.farthest), best.length < Self.longEnough {
            if base.loadUnaligned(fromByteOffset: candidate, as: UInt32.self) == word {
                let length = Self.equalBytes(
                    base + position, base + candidate, atMost: min(Self.longEnough, end &- position))
                if length > best.length { best = (candidate, length) }
            }
            candidate &-= 1
        }
        return best.at
    }

    /// Where the eight bytes at a place were met before; from now on it is here.
    @inline(__always)
    private func meet(_ base: UnsafeRawPointer, _ position: Int) -> Int {
        let word = base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let slot = Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> (64 &- CompressionMemory.tableBits))
        let known = Int(memory.met[slot])
        memory.met[slot] = Int32(truncatingIfNeeded: position)
        return known
    }

    /// Whether at least four bytes at a place repeat those at an earlier one that is not too far away.
    @inline(__always)
    private func repeats(_ base: UnsafeRawPointer, _ position: Int, _ model: Int, _ end: Int) -> Bool {
        guard model >= 0, model < position, position &- model <= DeflateSymbols.farthest,
            position &+ Self.shortest <= end
        else {
            return false
        }
        return base.loadUnaligned(fromByteOffset: position, as: UInt32.self)
            == base.loadUnaligned(fromByteOffset: model, as: UInt32.self)
    }

    /// The end of a value, of a key or of a line.
    @inline(__always)
    private static func isEdge(_ base: UnsafeRawPointer, _ position: Int) -> Bool {
        let byte = base.load(fromByteOffset: position, as: UInt8.self)
        return byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == 0x0A
    }

    /// How many bytes at two addresses are equal; it may be up to eight more than `most`.
    @inline(__always)
    private static func equalBytes(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, atMost most: Int) -> Int {
        var count = 0
        while count < most {
            let difference =
                one.loadUnaligned(fromByteOffset: count, as: UInt64.self)
                ^ other.loadUnaligned(fromByteOffset: count, as: UInt64.self)
            if difference != 0 { return count &+ difference.trailingZeroBitCount &>> 3 }
            count &+= 8
        }
        return count
    }
}

/// The memory that one compressor works in, made once and used for every member.
final class CompressionMemory {
    /// A block takes so many bytes of input before it ends.
    static let blockBytes = 256 << 10
    /// A number of bits: how many places the table of eight-byte words has.
    static let tableBits: UInt64 = 12

    /// Each step but the last of a block takes three bytes at least, and the last may go beyond the block by one repetition.
    let steps: UnsafeMutablePointer<DeflateBlock.Step> = .allocate(
        capacity: (blockBytes + DeflateSymbols.longestMatch) / 3 + 2)
    let literalCounts: UnsafeMutablePointer<UInt32> = .allocate(capacity: DeflateSymbols.literals)
    let distanceCounts: UnsafeMutablePointer<UInt32> = .allocate(capacity: DeflateSymbols.distances)
    /// The symbols of lengths and distances, as ``DeflateSymbols`` has them.
    let lengths: UnsafeMutablePointer<DeflateSymbols.Symbol> = .allocate(capacity: 256)
    let distances: UnsafeMutablePointer<DeflateSymbols.Symbol> = .allocate(capacity: 512)
    /// By hash of eight bytes: where they were met last.
    let met: UnsafeMutablePointer<Int32> = .allocate(capacity: 1 << tableBits)

    init() {
        for (position, symbol) in DeflateSymbols.length.enumerated() { (lengths + position).initialize(to: symbol) }
        for (position, symbol) in DeflateSymbols.distance.enumerated() { (distances + position).initialize(to: symbol) }
    }

    deinit {
        steps.deallocate()
        literalCounts.deallocate()
        distanceCounts.deallocate()
        lengths.deallocate()
        distances.deallocate()
        met.deallocate()
    }
}
