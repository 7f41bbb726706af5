extension DocumentDecoder {
    /// The level of an event in the document.
    static let eventLevel = 3

    /// Takes an event into ``current``.
    mutating func takeEvent(in bytes: RawSpan) throws(SyntaxError) {
        let start = scanner.at
        scanner.scope.keysEnd = start + ContractLimits.event
        let keyBase = scanner.keys.count
        var seen: UInt32 = 0
        guess.begin()
        if try scanner.takeOpening(closing: UInt8(ascii: "}"), in: bytes) {
            repeat {
                let position = scanner.at
                let key = try guess.takeKey(&scanner, in: bytes)
                scanner.field = key.number
                if let field = EventField(number: key.number) {
                    if seen & field.bit != 0 { scanner.scope.noteDuplicate(at: position, in: key.number) }
                    seen |= field.bit
                    try takeValue(of: field, in: bytes)
                } else {
                    unknownFields += 1
                    if position < scanner.scope.keysEnd { scanner.keys.push(key.text, at: position) }
                    try scanner.skipValue(in: bytes, level: Self.eventLevel)
                }
            } while try scanner.takeComma(orClose: UInt8(ascii: "}"), in: bytes)
        }
        scanner.field = ScopeErrors.noField
        scanner.closeObject(keysFrom: keyBase, in: bytes)
        judgeWhole(length: scanner.at - start)
    }

    /// Judges what concerns the event as a whole, and what it lacks.
    private mutating func judgeWhole(length: Int) {
        let scope = scanner.scope
        if length > ContractLimits.event {
            current.refuse(EventError(.eventTooLarge))
        } else if scope.isTooDeep {
            current.refuse(EventError(.tooDeep))
        } else if scope.duplicatePlace != .max {
            current.refuse(EventError(.duplicateKey, number: scope.duplicateField))
        } else if scope.hasLoneSurrogate {
            current.refuse(EventError(.badCharacters, number: scope.surrogateField))
        } else {
            let missing = EventField.required & ~current.present
            guard missing != 0 else { return }
            current.note(EventError(.missing, number: UInt8(missing.trailingZeroBitCount)))
        }
    }

    @inline(__always)
    private mutating func takeValue(of field: EventField, in bytes: RawSpan) throws(SyntaxError) {
        switch field {
        case .videoId: play.videoId = try takeText(.videoId, in: bytes)
        case .stalls: play.stalls = try takeInteger(.stalls, in: bytes) ?? 0
        case .stalledMs: play.stalledMs = try takeInteger(.stalledMs, in: bytes) ?? 0
        case .watchedMs: play.watchedMs = try takeInteger(.watchedMs, in: bytes) ?? 0
        case .startupMs: play.startupMs = try takeInteger(.startupMs, in: bytes)
        case .avgBitrate: play.avgBitrate = try takeBitrate(in: bytes)
        case .error: play.error = try takeError(in: bytes)
        case .playId: play.playId = try takePlayId(in: bytes)
        case .sessionId: play.sessionId = try takeText(.sessionId, in: bytes)
        case .ageMs: play.ageMs = try takeInteger(.ageMs, in: bytes)
        case .endedAt: play.clientEndedAt = try takeEndedAt(in: bytes)
        case .bytes: play.bytes = try takeInteger(.bytes, in: bytes)
        case .memoryBytes: play.memoryBytes = try takeInteger(.memoryBytes, in: bytes)
        case .waitedMs: play.waitedMs = try takeInteger(.waitedMs, in: bytes)
        case .accessLogStartupMs:
            play.accessLogStartupMs = try takeInteger(.accessLogStartupMs, in: bytes)
        case .attempt: play.attempt = try takeInteger(.attempt, in: bytes)
        case .playerStalls: play.playerStalls = try takeInteger(.playerStalls, in: bytes)
        case .playerStalledMs: play.playerStalledMs = try takeInteger(.playerStalledMs, in: bytes)
        case .cdn: play.cdn = try takeText(.cdn, in: bytes)
        case .cdnRegion: play.cdnRegion = try takeText(.cdnRegion, in: bytes)
        case .network: play.network = try takeText(.network, in: bytes)
        case .source: play.source = try takeText(.source, in: bytes)
        case .appVersion: play.appVersion = try takeText(.appVersion, in: bytes)
        case .osVersion: play.osVersion = try takeText(.osVersion, in: bytes)
        case .deviceModel: play.deviceModel = try takeText(.deviceModel, in: bytes)
        case .player: play.player = try takeText(.player, in: bytes)
        case .tags: try takeTags(in: bytes)
        }
    }

    /// Takes a value that is not of the field's type: null is absent, anything else a fault.
    mutating func takeOther(
        _ field: EventField, part: EventError.Field.Part = .whole, in bytes: RawSpan
    ) throws(SyntaxError) {
        if try scanner.takeNull(in: bytes) { return }
        current.present |= field.bit
        current.note(EventError(.wrongType, field, part: part))
        try scanner.skipValue(in: bytes, level: part == .whole ? Self.eventLevel : Self.eventLevel + 1)
    }

    @inline(__always)
    private mutating func takeText(_ field: EventField, in bytes: RawSpan) throws(SyntaxError) -> TextSlice {
        guard try scanner.peek(in: bytes) == UInt8(ascii: "\"") else {
            try takeOther(field, in: bytes)
            return .absent
        }
        let text = try scanner.takeString(in: bytes, keeping: true)
        // What clients send for "I don't know".
        if text.slice.count == 0, field != .videoId { return .absent }
        current.present |= field.bit
        if let code = scanner.fault(in: text, by: TextRule(field), of: bytes) {
            current.note(EventError(code, field))
            return .absent
        }
        return text.slice
    }

    @inline(__always)
    private func startsNumber(in bytes: RawSpan) throws(SyntaxError) -> Bool {
        let first = try scanner.peek(in: bytes)
        return first &- UInt8(ascii: "0") <= 9 || first == UInt8(ascii: "-")
    }

    @inline(__always)
    private mutating func takeInteger(_ field: EventField, in bytes: RawSpan) throws(SyntaxError) -> Int64? {
        guard let value = scanner.takePlainInteger(in: bytes) else { return try takeNumber(field, in: bytes) }
        current.present |= field.bit
        guard value >= field.floor, value <= field.limit else {
            current.note(EventError(.outOfRange, field))
            return nil
        }
        return value
    }

    /// An integer that is not written plainly, or is none.
    private mutating func takeNumber(_ field: EventField, in bytes: RawSpan) throws(SyntaxError) -> Int64? {
        guard try startsNumber(in: bytes) else {
            try takeOther(field, in: bytes)
            return nil
        }
        current.present |= field.bit
        let number = try scanner.takeNumber(in: bytes)
        guard number.isWhole || field.isMilliseconds else {
            current.note(EventError(.notWhole, field))
            return nil
        }
        guard let value = number.rounded, value >= field.floor, value <= field.limit else {
            current.note(EventError(.outOfRange, field))
            return nil
        }
        return value
    }

    /// Rounded half up to the whole bit/s; what is not above 0 then is absent.
    private mutating func takeBitrate(in bytes: RawSpan) throws(SyntaxError) -> Int64? {
        if let value = scanner.takePlainInteger(in: bytes) {
            current.present |= EventField.avgBitrate.bit
            if value > EventField.avgBitrate.limit { current.note(EventError(.outOfRange, .avgBitrate)) }
            return value > 0 ? value : nil
        }
        guard try startsNumber(in: bytes) else {
            try takeOther(.avgBitrate, in: bytes)
            return nil
        }
        current.present |= EventField.avgBitrate.bit
        let number = try scanner.takeNumber(in: bytes)
        guard !number.isNegative else { return nil }
        guard number.isAtMost(UInt64(EventField.avgBitrate.limit)) else {
            current.note(EventError(.outOfRange, .avgBitrate))
            return nil
        }
        let rounded = Int64(number.magnitude) + (number.tenths >= 5 ? 1 : 0)
        return rounded > 0 ? rounded : nil
    }

    private mutating func takePlayId(in bytes: RawSpan) throws(SyntaxError) -> Identifier128? {
        guard try scanner.peek(in: bytes) == UInt8(ascii: "\"") else {
            try takeOther(.playId, in: bytes)
            return nil
        }
        current.present |= EventField.playId.bit
        let text = try scanner.takeString(in: bytes, keeping: true)
        guard !text.hasControl else {
            current.note(EventError(.badCharacters, .playId))
            return nil
        }
        guard let id = scanner.uuid(text.slice, in: bytes), id != .allZeros, id != .allOnes else {
            current.note(EventError(.badFormat, .playId))
            return nil
        }
        return id
    }

    private mutating func takeEndedAt(in bytes: RawSpan) throws(SyntaxError) -> Int64? {
        if let time = scanner.takePlainInteger(in: bytes) {
            current.present |= EventField.endedAt.bit
            return time
        }
        if try startsNumber(in: bytes) {
            current.present |= EventField.endedAt.bit
            let number = try scanner.takeNumber(in: bytes)
            if number.int64 == nil { current.note(EventError(.outOfRange, .endedAt)) }
            return number.int64
        }
        guard try scanner.peek(in: bytes) == UInt8(ascii: "\"") else {
            try takeOther(.endedAt, in: bytes)
            return nil
        }
        current.present |= EventField.endedAt.bit
        let text = try scanner.takeString(in: bytes, keeping: true)
        guard !text.hasControl else {
            current.note(EventError(.badCharacters, .endedAt))
            return nil
        }
        let time = scanner.timestamp(text.slice, in: bytes)
        if time == nil { current.note(EventError(.badFormat, .endedAt)) }
        return time
    }
}
