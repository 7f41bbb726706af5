/// One event that was not taken: the first fault found in the contract's order.
package struct Rejection: Sendable, Equatable {
    /// Why an event is rejected; the raw value is the wire's code.
    package enum Code: String, Sendable, CaseIterable {
        case missing
        case wrongType = "wrong_type"
        case eventTooLarge = "event_too_large"
        case tooDeep = "too_deep"
        case duplicateKey = "duplicate_key"
        case badCharacters = "bad_characters"
        case notWhole = "not_whole"
        case outOfRange = "out_of_range"
        case badFormat = "bad_format"
        case stalledExceedsWatched = "stalled_exceeds_watched"
        case stalledWithoutStalls = "stalled_without_stalls"
    }

    /// The event's place in `events`, from 0.
    package var index: Int
    package var code: Code
    /// The field at fault, `""` for the event as a whole.
    package var field: String
    /// Says in a sentence what was wrong and what would be right; holds nothing of the event.
    package var message: String
    /// Where the event stands in the body.
    package var bytes: Range<Int>

    package init(index: Int, code: Code, field: String, message: String, bytes: Range<Int>) {
        self.index = index
        self.code = code
        self.field = field
        self.message = message
        self.bytes = bytes
    }
}
