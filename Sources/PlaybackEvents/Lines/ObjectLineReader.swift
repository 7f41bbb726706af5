/// Reads a line that is one JSON object of the server's own, key by key.
protocol ObjectLineReader {
    var scanner: JSONScanner { get set }

    /// Takes the value of a key, where the scanner stands.
    mutating func takeValue(of key: TextSlice, in line: RawSpan) throws(SyntaxFault)
}

extension ObjectLineReader {
    /// Takes the whole line; keys that stand there twice are noted by the scanner.
    mutating func takeObject(in line: RawSpan) throws(SyntaxFault) {
        guard try scanner.peek(in: line) == UInt8(ascii: "{") else { throw SyntaxFault(offset: 0) }
        if try scanner.takeOpening(closing: UInt8(ascii: "}"), in: line) {
            repeat {
                let place = scanner.at
                let key = try scanner.takeString(in: line, keeping: true).slice
                scanner.keys.push(key, at: place)
                try scanner.takeColon(in: line)
                try takeValue(of: key, in: line)
            } while try scanner.takeComma(orClose: UInt8(ascii: "}"), in: line)
        }
        scanner.closeObject(keysFrom: 0, in: line)
        guard scanner.at == line.byteCount else { throw SyntaxFault(offset: scanner.at) }
    }

    /// A text without its escapes.
    func bytes(of text: TextSlice, in line: RawSpan) -> [UInt8] {
        (0..<Int(text.count)).map { scanner.byte(of: text, $0, in: line) }
    }
}
