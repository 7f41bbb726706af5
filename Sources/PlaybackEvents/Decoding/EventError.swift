/// Why an event is refused, without any text of its own: its words are made when the answer is.
struct EventError {
    /// The field at fault.
    struct Field {
        enum Part: UInt8 {
            case whole, domain, code, tag
        }

        /// The ``EventField``, ``ScopeErrors/noField`` for the event as a whole.
        var number: UInt8
        var part = Part.whole
        /// The value came from the request's context.
        var isContext = false
        /// The tag's key, for ``Part/tag``.
        var tag = TextSlice.absent
    }

    var code: Rejection.Code
    var field: Field

    init(_ code: Rejection.Code, _ field: Field) {
        self.code = code
        self.field = field
    }

    init(_ code: Rejection.Code, _ field: EventField, part: Field.Part = .whole) {
        self.init(code, Field(number: field.rawValue, part: part))
    }

    /// A fault of the event as a whole or of the field with that number.
    init(_ code: Rejection.Code, number: UInt8 = ScopeErrors.noField) {
        self.init(code, Field(number: number))
    }
}
