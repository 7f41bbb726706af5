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
            let back = memory.distances[DeflateSymbols.place(ofDistanceLessOne: distanceLessOne)]
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
                var place = start
                for step in UnsafeBufferPointer(start: memory.steps, count: steps) {
                    let end = place &+ Int(step.literals)
                    while place < end {
                        output.put(words[Int(base.load(fromByteOffset: place, as: UInt8.self))])
                        place &+= 1
                    }
                    guard step.length > 0 else { continue }
                    place &+= Int(step.length)
                    let length = Int(step.length) &- 3
                    let symbol = memory.lengths[length]
                    output.put(words[257 &+ Int(symbol.number)], further: UInt64(length), bits: symbol.extra)
                    let distance = Int(step.distanceLessOne)
                    let back = memory.distances[DeflateSymbols.place(ofDistanceLessOne: distance)]
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
