/// The contract's rule for the known strings.
struct TextRule {
    /// In bytes of UTF-8; the shortest is 1.
    var longest: Int
    /// Whether it may not begin with `(`.
    var reservesParenthesis: Bool

    static let tag = TextRule(longest: 64, reservesParenthesis: true)
    static let errorCode = TextRule(longest: 64, reservesParenthesis: false)
    /// `DOMAIN#CODE`.
    static let joinedError = TextRule(longest: 129, reservesParenthesis: true)
    static let senderId = TextRule(longest: 64, reservesParenthesis: false)

    init(longest: Int, reservesParenthesis: Bool) {
        self.longest = longest
        self.reservesParenthesis = reservesParenthesis
    }

    init(_ field: EventField) {
        self.init(longest: field.longest, reservesParenthesis: field.reservesParenthesis)
    }

    /// What is wrong with a text, nil when nothing is.
    @inline(__always)
    func fault(in text: ScannedText, of bytes: RawSpan, scanner: borrowing JSONScanner) -> Rejection.Code? {
        guard text.slice.count > 0, Int(text.slice.count) <= longest else { return .outOfRange }
        guard !text.hasControl else { return .badCharacters }
        guard !reservesParenthesis || scanner.byte(of: text.slice, 0, in: bytes) != UInt8(ascii: "(") else {
            return .badFormat
        }
        return nil
    }
}
