extension JSONScanner {
    /// Puts a text that this scanner read into the arena once more.
    mutating func appendToArena(_ text: TextSlice, in bytes: RawSpan) {
        for place in 0..<Int(text.count) { arena.append(byte(of: text, place, in: bytes)) }
    }

    /// Puts a text into the arena as a JSON string; it holds no controls.
    mutating func appendStringToArena(_ text: TextSlice, in bytes: RawSpan) {
        arena.append(UInt8(ascii: "\""))
        for place in 0..<Int(text.count) {
            let byte = byte(of: text, place, in: bytes)
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { arena.append(UInt8(ascii: "\\")) }
            arena.append(byte)
        }
        arena.append(UInt8(ascii: "\""))
    }
}
