extension TextSlice {
    /// A byte of a text that a ``JSONScanner`` read: from the bytes or, behind them, from its arena.
    @inline(__always)
    func byte(_ place: Int, in bytes: RawSpan, arena: [UInt8]) -> UInt8 {
        let at = Int(offset) &+ place
        return bytes.has(at) ? bytes.byte(at) : arena[at &- bytes.byteCount]
    }
}
