/// One block of deflate: stretches of plain bytes, each followed by a repetition of earlier ones.
struct DeflateBlock {
    /// Plain bytes, and what is repeated after them; a length of 0 repeats nothing.
    struct Step {
        var literals: UInt32
        var length: UInt16
        var distanceLessOne: UInt16
    }

    private let memory: CompressionMemory
    private var steps = 0
    /// Where the block's bytes begin.
    private let start: Int
    /// Further bits of lengths and distances, all together.
    private var extraBits = 0

    /// Begins a block, and forgets the one before in the same memory.
    init(at start: Int, in memory: CompressionMemory) {
        self.start = start
        self.memory = memory
        memory.literalCounts.update(repeating: 0, count: DeflateSymbols.literals)
        memory.distanceCounts.update(repeating: 0, count: DeflateSymbols.distances)
        memory.literalCounts[DeflateSymbols.endOfBlock] = 1
    }

    /// Adds plain bytes and a repetition after them.
    ///
    /// - Parameters:
    ///   - length: 0 for none, else at least 4.
    ///   - distance: how far back the repeated bytes begin, at most ``DeflateSymbols/farthest``.
    @inline(__always)
    mutating func add(_ literals: UnsafeRawBufferPointer, length: Int, distance: Int) {
        let counts = memory.literalCounts
        for byte in literals { counts[Int(byte)] &+= 1 }
        var first = literals.count
        var rest = length
        repeat {
            var part = min(rest, DeflateSymbols.longestMatch)
            // What is left must not be too short for a repetition.
            if rest > part, rest &- part < 3 { part &-= 3 }
            addStep(literals: first, length: part, distanceLessOne: distance &- 1)
            first = 0
            rest &-= part
        } while rest > 0
    }

    @inline(__always)
    private mutating func addStep(literals: Int, length: Int, distanceLessOne: Int) {
        if length > 0 {
            let symbol = memory.lengths[length &- 3]
            memory.literalCounts[257 &+ Int(symbol.number)] &+= 1
            let back = memory.distances[DeflateSymbols.position(ofDistanceLessOne: distanceLessOne)]
            memory.distanceCounts[Int(back.number)] &+= 1
            extraBits &+= Int(symbol.extra) &+ Int(back.extra)
        }
        memory.steps[steps] = Step(
            literals: UInt32(truncatingIfNeeded: literals), length: UInt16(truncatingIfNeeded: length),
            distanceLessOne: UInt16(truncatingIfNeeded: distanceLessOne))
        steps &+= 1
    }

    /// Writes the block with the code that makes it smaller: its own, or the fixed one.
    func write(from text: UnsafeRawBufferPointer, isLast: Bool, to writer: inout BitWriter) {
        let literals = HuffmanCode(counts: literalCounts, limit: 15)
        let distances = HuffmanCode(counts: distanceCounts, limit: 15)
        let head = DynamicHead(literals: literals.lengths, distances: distances.lengths)
        let fixed = DeflateSymbols.fixed
        writer.put(isLast ? 1 : 0, bits: 1)
        if bits(literals, distances) + head.bits < bits(fixed.literals, fixed.distances) {
            writer.put(2, bits: 2)
            head.write(to: &writer)
            writeSteps(from: text, literals, distances, to: &writer)
        } else {
            writer.put(1, bits: 2)
            writeSteps(from: text, fixed.literals, fixed.distances, to: &writer)
        }
    }

    private var literalCounts: [UInt32] {
        Array(UnsafeBufferPointer(start: memory.literalCounts, count: DeflateSymbols.literals))
    }

    private var distanceCounts: [UInt32] {
        Array(UnsafeBufferPointer(start: memory.distanceCounts, count: DeflateSymbols.distances))
    }

    private func bits(_ literals: HuffmanCode, _ distances: HuffmanCode) -> Int {
        var sum = extraBits
        for (count, length) in zip(literalCounts, literals.lengths) { sum += Int(count) * Int(length) }
        for (count, length) in zip(distanceCounts, distances.lengths) { sum += Int(count) * Int(length) }
        return sum
    }

    private func writeSteps(
        from text: UnsafeRawBufferPointer, _ literals: HuffmanCode, _ distances: HuffmanCode, to writer: inout BitWriter
    ) {
        guard let base = text.baseAddress else { return }
        var output = writer
        withWords(literals) { words in
            withWords(distances) { distanceWords in
                var position = start
                for step in UnsafeBufferPointer(start: memory.steps, count: steps) {
                    let end = position &+ Int(step.literals)
                    while position < end {
                        output.put(words[Int(base.load(fromByteOffset: position, as: UInt8.self))])
                        position &+= 1
                    }
                    guard step.length > 0 else { continue }
                    position &+= Int(step.length)
                    let length = Int(step.length) &- 3
                    let symbol = memory.lengths[length]
                    output.put(words[257 &+ Int(symbol.number)], further: UInt64(length), bits: symbol.extra)
                    let distance = Int(step.distanceLessOne)
                    let back = memory.distances[DeflateSymbols.position(ofDistanceLessOne: distance)]
                    output.put(distanceWords[Int(back.number)], further: UInt64(distance), bits: back.extra)
                }
                output.put(words[DeflateSymbols.endOfBlock])
            }
        }
        writer = output
    }

    /// Lends the code and length of each symbol in one word.
    private func withWords(_ code: HuffmanCode, _ body: (UnsafePointer<UInt32>) -> Void) {
        let words = zip(code.codes, code.lengths).map { UInt32($0) << 8 | UInt32($1) }
        words.withUnsafeBufferPointer { words in
            if let base = words.baseAddress { body(base) }
        }
    }
}

extension BitWriter {
    /// Writes a symbol's code.
    @inline(__always)
    fileprivate mutating func put(_ word: UInt32) {
        put(UInt64(word >> 8), bits: UInt64(word & 0xFF))
    }

    /// Writes a symbol's code and the lowest bits of a number after it.
    @inline(__always)
    fileprivate mutating func put(_ word: UInt32, further: UInt64, bits: UInt8) {
        let length = UInt64(word & 0xFF)
        let rest = further & (1 &<< UInt64(bits) &- 1)
        put(UInt64(word >> 8) | rest &<< length, bits: length &+ UInt64(bits))
    }
}

/// Writes bits as deflate wants them: the first into the lowest bit of the first byte.
struct BitWriter {
    private let bytes: UnsafeMutableRawPointer
    private var position: Int
    private var bits: UInt64 = 0
    private var count: UInt64 = 0

    /// - Parameter bytes: room for all that will be written, and eight bytes more.
    init(_ bytes: UnsafeMutableRawBufferPointer, at position: Int) {
        guard let base = bytes.baseAddress else { preconditionFailure("a writer needs room") }
        self.bytes = base
        self.position = position
    }

    /// - Parameters:
    ///   - value: nothing above its lowest `bits`.
    ///   - bits: at most 32.
    @inline(__always)
    mutating func put(_ value: UInt64, bits new: UInt64) {
        bits |= value &<< count
        count &+= new
        if count >= 32 {
            bytes.storeBytes(of: UInt32(truncatingIfNeeded: bits), toByteOffset: position, as: UInt32.self)
            position &+= 4
            bits &>>= 32
            count &-= 32
        }
    }

    mutating func alignToByte() {
        put(0, bits: (8 - count % 8) % 8)
    }

    /// Writes what is left of whole bytes.
    ///
    /// - Returns: where the next byte would come.
    mutating func end() -> Int {
        while count > 0 {
            bytes.storeBytes(of: UInt8(truncatingIfNeeded: bits), toByteOffset: position, as: UInt8.self)
            position += 1
            bits >>= 8
            count -= min(8, count)
        }
        return position
    }
}

/// The symbols of deflate for lengths and distances (RFC 1951, 3.2.5).
enum DeflateSymbols {
    static let endOfBlock = 256
    /// Literals, the end of a block, lengths.
    static let literals = 286
    static let distances = 30
    /// 3 to 258 bytes, at most 32,768 before.
    static let longestMatch = 258
    static let farthest = 32_768

    struct Symbol {
        /// Of a length: less 257.
        var number: UInt8
        /// How many further bits follow it.
        var extra: UInt8
    }

    /// By length − 3.
    static let length: [Symbol] = (0..<256).map { length in
        if length == 255 { return Symbol(number: 28, extra: 0) }
        return symbol(of: length, doubling: 4)
    }

    /// By distance − 1 when that is below 256, else 256 + (distance − 1) / 128.
    static let distance: [Symbol] = (0..<512).map { position in
        symbol(of: position < 256 ? position : (position - 256) * 128, doubling: 2)
    }

    /// A number's symbol, where as many as `doubling` symbols share a number of further bits.
    private static func symbol(of value: Int, doubling: Int) -> Symbol {
        guard value >= 2 * doubling else { return Symbol(number: UInt8(value), extra: 0) }
        let bits = Int.bitWidth - value.leadingZeroBitCount
        let extra = bits - (doubling == 4 ? 3 : 2)
        return Symbol(number: UInt8(doubling * extra + value >> extra), extra: UInt8(extra))
    }

    @inline(__always)
    static func position(ofDistanceLessOne distance: Int) -> Int {
        distance < 256 ? distance : 256 &+ distance >> 7
    }

    /// The fixed code (RFC 1951, 3.2.6).
    static let fixed = (
        literals: HuffmanCode(
            lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }),
        distances: HuffmanCode(lengths: [UInt8](repeating: 5, count: 30))
    )
}
