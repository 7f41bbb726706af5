/// A stretch of UTF-8 in the text of a ``PlayBatch``, so that a play is a plain value without reference counts.
///
/// No known text is empty (contract), so a count of 0 means absent.
package struct TextSlice: Sendable, Hashable {
    package var offset: Int32
    package var count: Int32

    package static let absent = TextSlice(offset: 0, count: 0)

    package init(offset: Int32, count: Int32) {
        self.offset = offset
        self.count = count
    }

    /// - Precondition: the range lies within Int32, as everything does in a body of ``ContractLimits/inflatedBody``.
    init(_ range: Range<Int>) {
        self.init(offset: Int32(range.lowerBound), count: Int32(range.count))
    }

    package var isAbsent: Bool { count == 0 }

    package var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}

extension TextSlice {
    /// A byte of a text that a ``JSONScanner`` read: from the bytes or, behind them, from its arena.
    @inline(__always)
    func byte(_ position: Int, in bytes: RawSpan, arena: [UInt8]) -> UInt8 {
        let at = Int(offset) &+ position
        return bytes.has(at) ? bytes.byte(at) : arena[at &- bytes.byteCount]
    }
}
