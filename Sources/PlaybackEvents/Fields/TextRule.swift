/// The contract's rule for the known strings.
struct TextRule {
    /// In bytes of UTF-8; the shortest is 1.
    var longest: Int
    /// Whether it may not begin with `(`.
    var reservesParenthesis: Bool

    static let tag = TextRule(longest: 128, reservesParenthesis: true)
    static let errorCode = TextRule(longest: 64, reservesParenthesis: false)
    /// `DOMAIN#CODE`.
    static let joinedError = TextRule(longest: 129, reservesParenthesis: true)
    static let senderId = TextRule(longest: 64, reservesParenthesis: false)

    @inline(__always)
    init(longest: Int, reservesParenthesis: Bool) {
        self.longest = longest
        self.reservesParenthesis = reservesParenthesis
    }

    @inline(__always)
    init(_ field: EventField) {
        self.init(longest: field.longest, reservesParenthesis: field.reservesParenthesis)
    }
}
