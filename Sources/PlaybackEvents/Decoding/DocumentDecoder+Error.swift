extension DocumentDecoder {
    /// Takes an event's error.
    ///
    /// - Returns: the error code of the reports, `DOMAIN#CODE` or the string itself.
    mutating func takeError(in bytes: RawSpan) throws(SyntaxError) -> TextSlice {
        switch try scanner.peek(in: bytes) {
        case UInt8(ascii: "\""):
            current.present |= EventField.error.bit
            let text = try scanner.takeString(in: bytes, keeping: true)
            guard let code = scanner.fault(in: text, by: TextRule(.error), of: bytes) else { return text.slice }
            current.note(EventError(code, .error))
            return .absent
        case UInt8(ascii: "{"):
            current.present |= EventField.error.bit
            return try takeErrorObject(in: bytes)
        default:
            try takeOther(.error, in: bytes)
            return .absent
        }
    }

    private mutating func takeErrorObject(in bytes: RawSpan) throws(SyntaxError) -> TextSlice {
        var domain = ErrorPart()
        var code = ErrorPart()
        let keyBase = scanner.keys.count
        if try scanner.takeOpening(closing: UInt8(ascii: "}"), in: bytes) {
            repeat {
                let position = scanner.at
                let key = try scanner.takeString(in: bytes, keeping: true).slice
                if position < scanner.scope.keysEnd { scanner.keys.push(key, at: position) }
                try scanner.takeColon(in: bytes)
                if scanner.isText(key, "domain", in: bytes) {
                    domain = try takeErrorPart(rule: TextRule(.error), isNumberLegal: false, in: bytes)
                } else if scanner.isText(key, "code", in: bytes) {
                    code = try takeErrorPart(rule: .errorCode, isNumberLegal: true, in: bytes)
                } else {
                    try scanner.skipValue(in: bytes, level: Self.eventLevel + 1)
                }
            } while try scanner.takeComma(orClose: UInt8(ascii: "}"), in: bytes)
        }
        scanner.closeObject(keysFrom: keyBase, in: bytes)
        if let fault = domain.fault {
            current.note(EventError(fault, .error, part: .domain))
            return .absent
        }
        if let fault = code.fault {
            current.note(EventError(fault, .error, part: .code))
            return .absent
        }
        return joined(domain.text, code, in: bytes)
    }

    /// `domain` or `code` of an error.
    private struct ErrorPart {
        var fault: Rejection.Code? = .missing
        var text = TextSlice.absent
        /// A code that is a number.
        var number: Int64?
    }

    private mutating func takeErrorPart(
        rule: TextRule, isNumberLegal: Bool, in bytes: RawSpan
    ) throws(SyntaxError) -> ErrorPart {
        switch try scanner.peek(in: bytes) {
        case UInt8(ascii: "\""):
            let text = try scanner.takeString(in: bytes, keeping: true)
            return ErrorPart(fault: scanner.fault(in: text, by: rule, of: bytes), text: text.slice)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let number = try scanner.takeNumber(in: bytes)
            guard isNumberLegal else { return ErrorPart(fault: .wrongType) }
            guard number.isWhole else { return ErrorPart(fault: .notWhole) }
            return ErrorPart(fault: number.int64 == nil ? .outOfRange : nil, number: number.int64)
        case UInt8(ascii: "n"):
            try scanner.takeLiteral("null", in: bytes)
            return ErrorPart()
        default:
            try scanner.skipValue(in: bytes, level: Self.eventLevel + 1)
            return ErrorPart(fault: .wrongType)
        }
    }

    /// Puts `DOMAIN#CODE` into the arena.
    private mutating func joined(_ domain: TextSlice, _ code: ErrorPart, in bytes: RawSpan) -> TextSlice {
        let start = bytes.byteCount + scanner.arena.count
        scanner.appendToArena(domain, in: bytes)
        scanner.arena.append(UInt8(ascii: "#"))
        if let number = code.number {
            scanner.arena.append(atMost: LineWriter.longestInteger) { $0.put(number) }
        } else {
            scanner.appendToArena(code.text, in: bytes)
        }
        return TextSlice(start..<bytes.byteCount + scanner.arena.count)
    }
}
