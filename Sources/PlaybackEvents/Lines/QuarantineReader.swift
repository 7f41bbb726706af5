/// Reads a line of the quarantine.
struct QuarantineReader: ObjectLineReader {
    var scanner = JSONScanner()
    private(set) var receivedAt: Int64?
    private(set) var requestId: Identifier128?
    private(set) var index: Int64?
    private(set) var code: [UInt8]?
    private(set) var field: [UInt8]?
    private(set) var context: [UInt8]?
    private(set) var contextBytes: Int64?
    private(set) var regionHeader: [UInt8]?
    private(set) var raw: [UInt8]?
    private(set) var isErased = false

    /// Nothing in it breaks the rules for keys, surrogates and levels.
    var isWhole: Bool { scanner.scope.isClean }

    mutating func take(_ line: RawSpan) throws(SyntaxFault) {
        try takeObject(in: line)
    }

    mutating func takeValue(of key: TextSlice, in line: RawSpan) throws(SyntaxFault) {
        switch try scanner.peek(in: line) {
        case UInt8(ascii: "\""):
            let text = try scanner.takeString(in: line, keeping: true).slice
            if scanner.isText(key, "requestId", in: line) {
                requestId = scanner.hexadecimal(text, in: line)
            } else if scanner.isText(key, "code", in: line) {
                code = bytes(of: text, in: line)
            } else if scanner.isText(key, "field", in: line) {
                field = bytes(of: text, in: line)
            } else if scanner.isText(key, "context", in: line) {
                context = bytes(of: text, in: line)
            } else if scanner.isText(key, "regionHeader", in: line) {
                regionHeader = bytes(of: text, in: line)
            } else if scanner.isText(key, "raw", in: line) {
                raw = bytes(of: text, in: line)
            } else if scanner.isText(key, "rawBase64", in: line) {
                raw = Base64.decoded(bytes(of: text, in: line))
            }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let number = try scanner.takeNumber(in: line)
            let value = number.isWhole ? number.int64 : nil
            if scanner.isText(key, "receivedAt", in: line) {
                receivedAt = value.flatMap { Receipt.times.contains($0) ? $0 : nil }
            } else if scanner.isText(key, "erased", in: line) {
                isErased = true
            } else if scanner.isText(key, "index", in: line) {
                index = value
            } else if scanner.isText(key, "contextBytes", in: line) {
                contextBytes = value
            }
        default: try scanner.skipValue(in: line, level: 1)
        }
    }
}
