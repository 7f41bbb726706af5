extension DocumentDecoder {
    /// Takes the request's context.
    mutating func takeContext(in bytes: RawSpan) throws(SyntaxFault) {
        guard try scanner.peek(in: bytes) == UInt8(ascii: "{") else {
            if try scanner.takeNull(in: bytes) { return }
            contextMember = .bad
            return try scanner.skipValue(in: bytes, level: 1)
        }
        contextMember = .good
        let start = scanner.at
        let keyBase = scanner.keys.count
        if try scanner.takeOpening(closing: UInt8(ascii: "}"), in: bytes) {
            repeat {
                let place = scanner.at
                let key = try scanner.takeString(in: bytes, keeping: true).slice
                scanner.keys.push(key, at: place)
                try scanner.takeColon(in: bytes)
                try takeDefault(named: key, in: bytes)
            } while try scanner.takeComma(orClose: UInt8(ascii: "}"), in: bytes)
        }
        scanner.closeObject(keysFrom: keyBase, in: bytes)
        contextBytes = start..<scanner.at
    }

    private mutating func takeDefault(named key: TextSlice, in bytes: RawSpan) throws(SyntaxFault) {
        let number = guess.table.number(of: key, in: bytes, arena: scanner.arena)
        guard let field = EventField(number: number), field == .tags || EventField.defaults.contains(field) else {
            return try scanner.skipValue(in: bytes, level: 2)
        }
        if try scanner.takeNull(in: bytes) { return }
        let first = try scanner.peek(in: bytes)
        if field == .tags {
            guard first == UInt8(ascii: "{") else {
                context.tags = .wrongType
                return try scanner.skipValue(in: bytes, level: 2)
            }
            context.tags = .entries(try takeTagEntries(level: 3, in: bytes))
        } else if first == UInt8(ascii: "\"") {
            let text = try scanner.takeString(in: bytes, keeping: true)
            if text.slice.count == 0 { return }
            if let fault = scanner.fault(in: text, by: TextRule(field), of: bytes) {
                context.set(field, fault: fault)
            } else {
                context.set(field, text.slice)
            }
        } else {
            context.set(field, fault: .wrongType)
            try scanner.skipValue(in: bytes, level: 2)
        }
    }
}
