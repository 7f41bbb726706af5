internal import Platform

/// Takes the chunks' framing off a body, byte by byte, strictly after RFC 9112, 7.1.
///
/// Sizes are plain hexadecimal of at most 16 digits. Extensions and trailer fields are checked, counted and dropped:
/// nothing that was framed as data can come out of them.
package struct ChunkDecoder: Sendable {
    /// What the next bytes are.
    package enum Step: Sendable, Equatable {
        /// That many bytes were framing; more are needed.
        case framing(Int)
        /// After that many bytes of framing come `data` bytes of the body.
        case data(after: Int, data: Int)
        /// After that many bytes the body is over.
        case end(Int)
    }

    private enum State {
        case size, sizePadding, sizeExtension, sizeEnd
        case data, dataEnd, dataEndFeed
        case trailer, trailerName, trailerValue, trailerEnd, lastFeed, over
    }

    /// Bytes of extensions, and bytes of trailer fields, that one body may have.
    package static let overheadLimit = 4 << 10

    private var state = State.size
    private var size = 0
    private var digits = 0
    private var overhead = 0

    package init() {}

    package var isOver: Bool { state == .over }

    /// Bytes of the chunk that has begun which are still to come.
    package var announced: Int { size }

    /// Looks at the bytes that follow those already taken.
    ///
    /// - Throws: `.malformed`, and `.headTooLarge` for too long extensions and trailers; of no use afterwards.
    package mutating func next(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) -> Step {
        var index = 0
        while index < bytes.count {
            if state == .over { return .end(index) }
            if state == .data {
                let part = min(size, bytes.count - index)
                size -= part
                if size == 0 { state = .dataEnd }
                return .data(after: index, data: part)
            }
            try take(bytes[index])
            index += 1
        }
        return state == .over ? .end(index) : .framing(index)
    }

    private mutating func take(_ byte: UInt8) throws(HTTPError) {
        switch state {
        case .size, .sizePadding, .sizeExtension, .sizeEnd: try takeSize(byte)
        case .dataEnd: state = try expect(HTTPCharacters.carriageReturn, byte, then: .dataEndFeed)
        case .dataEndFeed:
            state = try expect(HTTPCharacters.lineFeed, byte, then: .size)
            size = 0
            digits = 0
        case .trailer, .trailerName, .trailerValue, .trailerEnd: try takeTrailer(byte)
        case .lastFeed: state = try expect(HTTPCharacters.lineFeed, byte, then: .over)
        case .data, .over: break
        }
    }

    private mutating func takeSize(_ byte: UInt8) throws(HTTPError) {
        if state == .sizeEnd {
            state = try expect(HTTPCharacters.lineFeed, byte, then: size == 0 ? .trailer : .data)
            return
        }
        if state == .size, let digit = Hexadecimal.value(of: byte) {
            // Below 2⁵⁹ one more digit stays below 2⁶³.
            guard digits < 16, size >> 59 == 0 else { throw .malformed("A chunk's size is beyond all bounds.") }
            size = size << 4 | Int(digit)
            digits += 1
            return
        }
        guard digits > 0 else { throw .malformed("A chunk's size is no hexadecimal number.") }
        switch byte {
        case HTTPCharacters.carriageReturn where state != .sizePadding: state = .sizeEnd
        case UInt8(ascii: ";") where state != .sizeExtension: state = .sizeExtension
        case HTTPCharacters.space where state != .sizeExtension, HTTPCharacters.tab where state != .sizeExtension:
            state = .sizePadding
        case _ where state == .sizeExtension && HTTPCharacters.isFieldText(byte): break
        default: throw .malformed("A chunk's size is no hexadecimal number.")
        }
        if state != .sizeEnd { try countOverhead() }
    }

    private mutating func takeTrailer(_ byte: UInt8) throws(HTTPError) {
        switch (state, byte) {
        case (.trailer, HTTPCharacters.carriageReturn): state = .lastFeed
        case (.trailerValue, HTTPCharacters.carriageReturn): state = .trailerEnd
        case (.trailerEnd, HTTPCharacters.lineFeed): state = .trailer
        case (.trailerName, UInt8(ascii: ":")): state = .trailerValue
        case (.trailer, _) where HTTPCharacters.isToken(byte): state = .trailerName
        case (.trailerName, _) where HTTPCharacters.isToken(byte): break
        case (.trailerValue, _) where HTTPCharacters.isFieldText(byte): break
        default: throw .malformed("A trailer field is malformed.")
        }
        try countOverhead()
    }

    private func expect(_ expected: UInt8, _ byte: UInt8, then next: State) throws(HTTPError) -> State {
        guard byte == expected else { throw .malformed("A chunk does not end where its size says.") }
        return next
    }

    private mutating func countOverhead() throws(HTTPError) {
        overhead += 1
        guard overhead <= Self.overheadLimit else {
            throw .headTooLarge("Chunk extensions and trailer fields are longer than \(Self.overheadLimit) bytes.")
        }
    }
}
