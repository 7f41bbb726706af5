internal import Platform

/// Reads a line of the archive, with the scanner and the limits that requests are read with.
struct LineReader: Sendable {
    private var scanner = JSONScanner()
    private var guess = KeyGuess(LineField.keys, count: LineField.names.count)
    private var tagEntries: [TagEntry] = []
    /// The last object of tags, when it stood as it would be written.
    private var lastTags: [UInt8] = []
    private(set) var play = Play()
    private(set) var account: SenderAccount?
    private(set) var requestId = Identifier128.allZeros
    private(set) var receivedAt: Int64 = 0
    /// The event's index, when the line names it.
    private(set) var index: Int32?
    /// How many plays stood there that were erased, and whether they were repeats; nil for another line.
    private(set) var erased: (plays: Int64, isRepeat: Bool)?
    /// A line of erased plays says neither time nor request: they are those of the line before.
    var isBare: Bool { erased != nil && !has(LineField.requestId) && !has(LineField.receivedAt) }
    private var seen: UInt64 = 0
    /// What is wrong with a value, the first only.
    private var fault: LineError?
    /// Where the line will stand in the text that slices refer to.
    private var base: Int32 = 0

    /// Texts that had escapes; slices take them for standing behind the line.
    var unescaped: [UInt8] { scanner.arena }

    /// Reads a line: of an account or of erased plays, when ``account`` or ``erased`` is there afterwards, else of a play.
    mutating func read(_ line: RawSpan, base: Int32) throws(LineError) {
        scanner.reset()
        tagEntries.removeAll(keepingCapacity: true)
        play = Play()
        account = nil
        index = nil
        erased = nil
        seen = 0
        fault = nil
        self.base = base
        do throws(SyntaxError) {
            try takeLine(line)
        } catch {
            throw LineError(error)
        }
        if !scanner.scope.isClean { note("It has a key twice, half of a surrogate pair, or too many levels.") }
        judge()
        if let fault { throw fault }
    }

    private mutating func note(_ reason: String) {
        if fault == nil { fault = LineError(reason, at: scanner.at) }
    }

    private func has(_ number: UInt8) -> Bool {
        seen >> UInt64(number) & 1 == 1
    }

    private mutating func takeLine(_ line: RawSpan) throws(SyntaxError) {
        guess.begin()
        guard try scanner.peek(in: line) == UInt8(ascii: "{") else { throw SyntaxError(offset: 0) }
        if try scanner.takeOpening(closing: UInt8(ascii: "}"), in: line) {
            repeat {
                let key = try guess.takeKey(&scanner, in: line)
                guard key.number != KeyTable.none else {
                    try scanner.skipValue(in: line, level: 1)
                    continue
                }
                if has(key.number) { note("It has a key twice.") }
                seen |= 1 << UInt64(key.number)
                if let field = EventField(number: key.number) {
                    try takeValue(of: field, in: line)
                } else {
                    try takeAddition(key.number, in: line)
                }
            } while try scanner.takeComma(orClose: UInt8(ascii: "}"), in: line)
        }
        guard scanner.at == line.byteCount else { throw SyntaxError(offset: scanner.at) }
    }

    /// Judges what concerns the line as a whole.
    private mutating func judge() {
        if !has(LineField.erased) { erased = nil }
        guard isBare || has(LineField.receivedAt) && has(LineField.requestId) else {
            return note("It lacks receivedAt or requestId.")
        }
        if erased != nil { return }
        if has(LineField.sender) {
            if account == nil { note("Its sender is no account.") }
            return
        }
        let required = UInt64(EventField.required | EventField.endedAt.bit)
        guard seen & required == required else {
            return note("It lacks one of videoId, stalls, stalledMs, watchedMs and endedAt.")
        }
        guard play.stalledMs <= play.watchedMs, play.stalls > 0 || play.stalledMs == 0 else {
            return note("Its stalledMs does not go with watchedMs and stalls.")
        }
        guard play.cdnRegion.isAbsent == (play.regionFrom == nil) else {
            return note("Of cdnRegion and regionFrom it has one alone.")
        }
        play.receivedAt = receivedAt
    }

    /// Takes what the server added.
    private mutating func takeAddition(_ number: UInt8, in line: RawSpan) throws(SyntaxError) {
        switch number {
        case LineField.receivedAt: receivedAt = try takeInteger(Receipt.times, in: line) ?? 0
        case LineField.clientEndedAt: play.clientEndedAt = try takeInteger(.min ... .max, in: line)
        case LineField.index: index = Int32(try takeInteger(0...Int64(Int32.max), in: line) ?? 0)
        case LineField.erased:
            let plays = try takeInteger(ErasedLine.counts, in: line) ?? 1
            erased = (plays, erased?.isRepeat ?? false)
        case LineField.isRepeat:
            try scanner.skipValue(in: line, level: 1)
            erased = (erased?.plays ?? 1, true)
        case LineField.requestId:
            let text = try takeText(
                TextRule(longest: Identifier128.hexadecimalLength, reservesParenthesis: false), in: line)
            if let id = scanner.hexadecimal(text, in: line) {
                requestId = id
            } else {
                note("requestId is no hexadecimal number of 128 bits.")
            }
        case LineField.regionFrom: play.regionFrom = try takeRegionSource(in: line)
        case LineField.endedBy: play.endedBy = try takeEnding(in: line)
        case LineField.clockSkewed:
            if try scanner.peek(in: line) == UInt8(ascii: "t") {
                try scanner.takeLiteral("true", in: line)
                play.clockSkewed = true
            } else {
                note("clockSkewed is not true.")
                try scanner.skipValue(in: line, level: 1)
            }
        default:
            if try scanner.peek(in: line) == UInt8(ascii: "{") {
                account = try scanner.takeAccount(level: 2, in: line)
                account?.senderId.offset += base
            } else {
                try scanner.skipValue(in: line, level: 1)
            }
        }
    }

    @inline(__always)
    private mutating func takeValue(of field: EventField, in line: RawSpan) throws(SyntaxError) {
        switch field {
        case .stalls: play.stalls = try takeInteger(.stalls, in: line) ?? 0
        case .stalledMs: play.stalledMs = try takeInteger(.stalledMs, in: line) ?? 0
        case .watchedMs: play.watchedMs = try takeInteger(.watchedMs, in: line) ?? 0
        case .startupMs: play.startupMs = try takeInteger(.startupMs, in: line)
        case .avgBitrate: play.avgBitrate = try takeInteger(1...field.limit, in: line)
        case .error: play.error = try takeShifted(.joinedError, in: line)
        case .playId:
            let text = try takeText(TextRule(longest: Identifier128.uuidLength, reservesParenthesis: false), in: line)
            play.playId = scanner.uuid(text, in: line)
            if play.playId == nil { note("playId is no UUID.") }
        case .ageMs: play.ageMs = try takeInteger(.ageMs, in: line)
        case .endedAt: play.endedAt = try takeInteger(.min ... .max, in: line) ?? 0
        case .bytes: play.bytes = try takeInteger(.bytes, in: line)
        case .memoryBytes: play.memoryBytes = try takeInteger(.memoryBytes, in: line)
        case .waitedMs: play.waitedMs = try takeInteger(.waitedMs, in: line)
        case .accessLogStartupMs: play.accessLogStartupMs = try takeInteger(.accessLogStartupMs, in: line)
        case .attempt: play.attempt = try takeInteger(.attempt, in: line)
        case .playerStalls: play.playerStalls = try takeInteger(.playerStalls, in: line)
        case .playerStalledMs: play.playerStalledMs = try takeInteger(.playerStalledMs, in: line)
        case .tags: play.tags = try takeTags(in: line)
        default: play.set(field, try takeShifted(TextRule(field), in: line))
        }
    }

    @inline(__always)
    private mutating func takeInteger(_ field: EventField, in line: RawSpan) throws(SyntaxError) -> Int64? {
        try takeInteger(field.floor...field.limit, in: line)
    }

    @inline(__always)
    private mutating func takeInteger(
        _ range: ClosedRange<Int64>, in line: RawSpan
    ) throws(SyntaxError) -> Int64? {
        guard let value = scanner.takePlainInteger(in: line) else { return try takeNumber(range, in: line) }
        guard range.contains(value) else {
            note("A number lies outside its range.")
            return nil
        }
        return value
    }

    /// An integer that is not written plainly, or is none.
    private mutating func takeNumber(
        _ range: ClosedRange<Int64>, in line: RawSpan
    ) throws(SyntaxError) -> Int64? {
        let first = try scanner.peek(in: line)
        guard first &- UInt8(ascii: "0") <= 9 || first == UInt8(ascii: "-") else {
            note("A number is none.")
            try scanner.skipValue(in: line, level: 1)
            return nil
        }
        let number = try scanner.takeNumber(in: line)
        guard number.isWhole, let value = number.int64, range.contains(value) else {
            note("A number is not whole or lies outside its range.")
            return nil
        }
        return value
    }

    private mutating func takeRegionSource(in line: RawSpan) throws(SyntaxError) -> Play.RegionSource? {
        let text = try takeText(TextRule(.cdnRegion), in: line)
        if scanner.isText(text, "event", in: line) { return .event }
        if scanner.isText(text, "context", in: line) { return .context }
        if scanner.isText(text, "header", in: line) { return .header }
        note("regionFrom is none of event, context and header.")
        return nil
    }

    private mutating func takeEnding(in line: RawSpan) throws(SyntaxError) -> Play.Ending? {
        let text = try takeText(TextRule(.network), in: line)
        if scanner.isText(text, "reported", in: line) { return .reported }
        if scanner.isText(text, "silence", in: line) { return .silence }
        note("endedBy is neither reported nor silence.")
        return nil
    }

    private mutating func takeTags(in line: RawSpan) throws(SyntaxError) -> TextSlice {
        guard try scanner.peek(in: line) == UInt8(ascii: "{") else {
            note("tags are no object.")
            try scanner.skipValue(in: line, level: 1)
            return .absent
        }
        let start = scanner.at
        if !lastTags.isEmpty, scanner.begins(lastTags.span.bytes, in: line) {
            scanner.at += lastTags.count
            return TextSlice(offset: Int32(start) + base, count: Int32(lastTags.count))
        }
        try scanner.takeTags(into: &tagEntries, level: 2, in: line)
        guard (1...ContractLimits.tags).contains(tagEntries.count),
            tagEntries.allSatisfy({ $0.hasGoodKey && $0.fault == nil })
        else {
            note("tags have a key or value that they must not have, or there are none or too many.")
            return .absent
        }
        var tags = TextSlice(start..<scanner.at)
        if scanner.isCanonical(tagEntries, length: Int(tags.count), in: line) {
            lastTags.removeAll(keepingCapacity: true)
            lastTags.append(line.extracting(tags.range))
        } else {
            tags = scanner.appendTagsToArena(tagEntries, in: line)
        }
        tags.offset += base
        return tags
    }

    @inline(__always)
    private mutating func takeText(_ rule: TextRule, in line: RawSpan) throws(SyntaxError) -> TextSlice {
        guard try scanner.peek(in: line) == UInt8(ascii: "\"") else {
            note("A text is none.")
            try scanner.skipValue(in: line, level: 1)
            return .absent
        }
        let text = try scanner.takeString(in: line, keeping: true)
        if scanner.fault(in: text, by: rule, of: line) != nil {
            note("A text is too long, empty, or has characters that it must not have.")
            return .absent
        }
        return text.slice
    }

    /// A text whose slice is meant for later.
    @inline(__always)
    private mutating func takeShifted(_ rule: TextRule, in line: RawSpan) throws(SyntaxError) -> TextSlice {
        var text = try takeText(rule, in: line)
        if !text.isAbsent { text.offset += base }
        return text
    }
}
