extension EventError.Field {
    /// The field as an answer names it.
    ///
    /// - Parameter tagKey: the bytes of the key of a tag; it was judged before and is plain.
    func name(tag tagKey: [UInt8]) -> String {
        guard let field = EventField(number: number) else { return "" }
        var name = isContext ? "context.\(field.name)" : field.name
        switch part {
        case .whole: break
        case .domain: name += ".domain"
        case .code: name += ".code"
        case .tag: name += "." + String(decoding: tagKey, as: UTF8.self)
        }
        return name
    }
}

extension EventError {
    /// What is wrong and what would be right, in a sentence without any text of the event.
    var message: String {
        guard let known = EventField(number: field.number) else { return messageForWhole }
        let subject = subject(of: known)
        switch code {
        case .missing: return "\(subject) is required."
        case .wrongType: return "\(subject) must be \(typeName(of: known))."
        case .notWhole: return "\(subject) must be a whole number."
        case .outOfRange: return "\(subject) must \(rangeText(of: known))."
        case .badCharacters: return "\(subject) holds a control character or half of a surrogate pair."
        case .badFormat: return "\(subject) \(formatText(of: known))."
        case .duplicateKey: return "\(subject) stands twice in the event, or holds a key twice."
        case .stalledExceedsWatched: return "stalledMs must not exceed watchedMs, which includes it."
        case .stalledWithoutStalls: return "stalledMs must be 0 when stalls is 0."
        case .eventTooLarge, .tooDeep: return messageForWhole
        }
    }

    private var messageForWhole: String {
        switch code {
        case .wrongType: "An event must be an object."
        case .eventTooLarge: "An event must not have more than \(ContractLimits.event) bytes."
        case .tooDeep: "An event must not go deeper than level \(ContractLimits.depth) of the document."
        case .duplicateKey: "An unknown field of the event stands twice, or holds a key twice."
        default: "A string of the event holds half of a surrogate pair."
        }
    }

    private func subject(of known: EventField) -> String {
        let name = field.isContext ? "context.\(known.name)" : known.name
        switch field.part {
        case .whole: return name
        case .domain: return "\(name).domain"
        case .code: return "\(name).code"
        case .tag: return "A value in \(name)"
        }
    }

    private func typeName(of known: EventField) -> String {
        switch (known, field.part) {
        case (.error, .domain), (.tags, .tag): "a string"
        case (.error, .code): "a whole number or a string"
        case (.error, _): "a string or an object with domain and code"
        case (.tags, _): "an object of strings"
        case (.endedAt, _): "an RFC 3339 string or a number of ms since 1970"
        case (.playId, _): "a string with a UUID"
        case (.avgBitrate, _): "a number"
        default: known.isMilliseconds ? "a number of ms" : known.isInteger ? "a whole number" : "a string"
        }
    }

    private func rangeText(of known: EventField) -> String {
        switch (known, field.part) {
        case (.tags, .whole): return "hold at most \(ContractLimits.tags) tags"
        case (.error, .code): return "have 1 to 64 bytes, or be a 64-bit integer"
        case (.endedAt, _): return "be a 64-bit number of ms"
        case (.avgBitrate, _): return "be at most \(known.limit)"
        default:
            guard known.isInteger else { return lengthText(of: known) }
            return "lie between \(known.floor) and \(known.limit)"
        }
    }

    private func lengthText(of known: EventField) -> String {
        let isRequired = known == .videoId || known == .error
        return "have \(isRequired ? "1 to" : "at most") \(known.longest) bytes of UTF-8"
    }

    private func formatText(of known: EventField) -> String {
        switch (known, field.part) {
        case (.playId, _): "must be a UUID such as 0193a6b0-0000-7000-8000-000000000001, not all 0 or f"
        case (.endedAt, _): "must be a time after RFC 3339, such as 2026-11-30T00:53:19.5Z"
        case (.tags, .whole): "must have keys of the form [a-z][a-z0-9_]{0,31}"
        default: "must not begin with a parenthesis, which is for the reports' own names"
        }
    }
}
