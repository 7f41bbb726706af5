/// Reads one request's document; afterwards says what it holds.
struct DocumentDecoder: ~Copyable {
    /// What stood under a key of the document that has to be of one type.
    enum Member {
        case absent, good, bad
    }

    let receipt: Receipt
    var scanner = JSONScanner()
    var guess = KeyGuess(Self.eventKeys, count: EventField.allCases.count)
    private static let eventKeys = KeyTable(EventField.allCases.map(\.name))

    private(set) var isObject = false
    private var version = Member.absent
    private var eventsMember = Member.absent
    var contextMember = Member.absent
    var senderMember = Member.absent
    private var eventCount = 0

    /// The events, as many as are legal.
    var events: [PendingEvent] = []
    /// Their plays, with their own values.
    var plays: [Play] = []
    /// The event that is being read, and its play.
    var current = PendingEvent()
    var play = Play()
    /// The tags of all events and of the context.
    var tagEntries: [TagEntry] = []
    /// The last tags object that had no fault, and its entries: the next is often the same, byte for byte.
    var lastTags = 0..<0
    var lastTagEntries: Range<Int32> = 0..<0
    /// The tags that were judged last, and their fault: neighbours often have the same.
    var judgedTags: (own: Range<Int32>, fault: EventError?)?
    var context = ContextDefaults()
    /// Where the context stands, from its `{` to its `}`.
    var contextBytes: Range<Int>?
    var account: SenderAccount?
    var unknownFields = 0

    init(receipt: Receipt) {
        self.receipt = receipt
    }

    /// Reads the whole document.
    ///
    /// - Throws: ``SyntaxError`` when it is no JSON.
    mutating func read(_ bytes: RawSpan) throws(SyntaxError) {
        scanner.skipByteOrderMark(in: bytes)
        scanner.skipSpace(in: bytes)
        if try scanner.peek(in: bytes) == UInt8(ascii: "{") {
            isObject = true
            try takeDocument(in: bytes)
        } else {
            try scanner.skipValue(in: bytes, level: 0)
        }
        scanner.skipSpace(in: bytes)
        guard scanner.at == bytes.byteCount else { throw SyntaxError(offset: scanner.at) }
    }

    private mutating func takeDocument(in bytes: RawSpan) throws(SyntaxError) {
        guard try scanner.takeOpening(closing: UInt8(ascii: "}"), in: bytes) else { return }
        repeat {
            let position = scanner.at
            let key = try scanner.takeString(in: bytes, keeping: true).slice
            scanner.keys.push(key, at: position)
            try scanner.takeColon(in: bytes)
            if scanner.isText(key, "events", in: bytes) {
                try takeEvents(in: bytes)
            } else if scanner.isText(key, "context", in: bytes) {
                try takeContext(in: bytes)
            } else if scanner.isText(key, "sender", in: bytes) {
                try takeSender(in: bytes)
            } else if scanner.isText(key, "schemaVersion", in: bytes) {
                try takeVersion(in: bytes)
            } else {
                try scanner.skipValue(in: bytes, level: 1)
            }
        } while try scanner.takeComma(orClose: UInt8(ascii: "}"), in: bytes)
        scanner.closeObject(keysFrom: 0, in: bytes)
    }

    private mutating func takeVersion(in bytes: RawSpan) throws(SyntaxError) {
        switch try scanner.peek(in: bytes) {
        case UInt8(ascii: "n"): try scanner.takeLiteral("null", in: bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let number = try scanner.takeNumber(in: bytes)
            version = number.isWhole && number.int64 == 1 ? .good : .bad
        default:
            version = .bad
            try scanner.skipValue(in: bytes, level: 1)
        }
    }

    private mutating func takeEvents(in bytes: RawSpan) throws(SyntaxError) {
        guard try scanner.peek(in: bytes) == UInt8(ascii: "[") else {
            eventsMember = .bad
            return try scanner.skipValue(in: bytes, level: 1)
        }
        eventsMember = .good
        guard try scanner.takeOpening(closing: UInt8(ascii: "]"), in: bytes) else { return }
        // The shortest events have about so many bytes; growing would copy the plays again and again.
        let expected = min((bytes.byteCount - scanner.at) / 128 + 1, ContractLimits.events)
        events.reserveCapacity(expected)
        plays.reserveCapacity(expected)
        let outside = scanner.scope
        repeat {
            eventCount += 1
            scanner.scope = ScopeErrors()
            if eventCount <= ContractLimits.events {
                try takeElement(in: bytes)
            } else {
                scanner.scope.keysEnd = 0
                try scanner.skipValue(in: bytes, level: 2)
            }
        } while try scanner.takeComma(orClose: UInt8(ascii: "]"), in: bytes)
        scanner.scope = outside
        scanner.field = ScopeErrors.noField
    }

    private mutating func takeElement(in bytes: RawSpan) throws(SyntaxError) {
        let start = scanner.at
        current = PendingEvent()
        play = Play()
        if try scanner.peek(in: bytes) == UInt8(ascii: "{") {
            try takeEvent(in: bytes)
        } else {
            scanner.scope.keysEnd = 0
            try scanner.skipValue(in: bytes, level: 2)
            current.refuse(EventError(.wrongType))
        }
        current.bytes = Int32(start)..<Int32(scanner.at)
        events.append(current)
        plays.append(play)
    }

    /// Why the request as a whole is not taken, in the contract's order.
    var requestFault: RequestError? {
        let outside = scanner.scope
        if outside.hasLoneSurrogate {
            return RequestError(.invalidJSON, "A string outside the events holds half of a surrogate pair.")
        }
        if outside.isTooDeep {
            return RequestError(.invalidJSON, "The document has more than \(ContractLimits.depth) levels.")
        }
        guard isObject else { return RequestError(.invalidShape, "The document must be an object.") }
        if outside.duplicatePlace != .max {
            return RequestError(.duplicateKey, "An object outside the events has a key twice.")
        }
        if version == .bad { return RequestError(.unsupportedVersion, "schemaVersion must be 1 or absent.") }
        guard eventsMember == .good else { return RequestError(.invalidShape, "events must be an array.") }
        if contextMember == .bad { return RequestError(.invalidShape, "context must be an object or absent.") }
        if senderMember == .bad { return RequestError(.invalidShape, "sender must be an object or absent.") }
        if eventCount > ContractLimits.events {
            return RequestError(
                .tooLarge, "A request holds at most \(ContractLimits.events) events.", limit: ContractLimits.events)
        }
        return nil
    }
}

extension DocumentDecoder {
    /// Takes the sender's account; anything wrong in it makes it none.
    mutating func takeSender(in bytes: RawSpan) throws(SyntaxError) {
        guard try scanner.peek(in: bytes) == UInt8(ascii: "{") else {
            if try scanner.takeNull(in: bytes) { return }
            senderMember = .bad
            return try scanner.skipValue(in: bytes, level: 1)
        }
        senderMember = .good
        account = try scanner.takeAccount(level: 2, in: bytes)
    }
}

/// What is known of one element of `events` beside its play, before the request's context is known.
struct PendingEvent {
    /// The fields that have a value, a bit each.
    var present: UInt32 = 0
    /// The first fault of its own, in the order of judgement.
    var fault: EventError?
    /// The fault is one of the event as a whole: its fields are not looked at.
    var isRefused = false
    /// Its own tags, at most one more than are legal.
    var tags: Range<Int32> = 0..<0
    /// From its first byte to behind its last.
    var bytes: Range<Int32> = 0..<0

    /// Keeps the fault of the field that comes first in the contract's table.
    mutating func note(_ fault: EventError) {
        if let known = self.fault, known.field.number <= fault.field.number { return }
        self.fault = fault
    }

    mutating func refuse(_ fault: EventError) {
        self.fault = fault
        isRefused = true
    }
}

/// What a request's context gives for events that lack it; judged where it is applied.
struct ContextDefaults {
    enum Tags {
        case absent
        /// They are no object.
        case wrongType
        /// At most one more than are legal.
        case entries(Range<Int32>)
    }

    /// The fields that it gives, a bit each; the tags are apart.
    private(set) var present: UInt32 = 0
    /// Those of them that are at fault.
    private(set) var faulty: UInt32 = 0
    private(set) var texts = [TextSlice](repeating: .absent, count: EventField.allCases.count)
    private(set) var faults = [Rejection.Code?](repeating: nil, count: EventField.allCases.count)
    var tags = Tags.absent

    mutating func set(_ field: EventField, _ text: TextSlice) {
        present |= field.bit
        texts[Int(field.rawValue)] = text
    }

    mutating func set(_ field: EventField, fault: Rejection.Code) {
        present |= field.bit
        faulty |= field.bit
        faults[Int(field.rawValue)] = fault
    }
}

extension DocumentDecoder {
    /// Takes the request's context.
    mutating func takeContext(in bytes: RawSpan) throws(SyntaxError) {
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
                let position = scanner.at
                let key = try scanner.takeString(in: bytes, keeping: true).slice
                scanner.keys.push(key, at: position)
                try scanner.takeColon(in: bytes)
                try takeDefault(named: key, in: bytes)
            } while try scanner.takeComma(orClose: UInt8(ascii: "}"), in: bytes)
        }
        scanner.closeObject(keysFrom: keyBase, in: bytes)
        contextBytes = start..<scanner.at
    }

    private mutating func takeDefault(named key: TextSlice, in bytes: RawSpan) throws(SyntaxError) {
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

extension DocumentDecoder {
    /// Takes an event's own tags.
    mutating func takeTags(in bytes: RawSpan) throws(SyntaxError) {
        guard try scanner.peek(in: bytes) == UInt8(ascii: "{") else { return try takeOther(.tags, in: bytes) }
        current.present |= EventField.tags.bit
        if !lastTags.isEmpty, scanner.begins(bytes.extracting(lastTags), in: bytes) {
            scanner.at += lastTags.count
            current.tags = lastTagEntries
            return
        }
        let start = scanner.at
        current.tags = try takeTagEntries(level: Self.eventLevel + 1, in: bytes)
        if scanner.scope.isClean {
            lastTags = start..<scanner.at
            lastTagEntries = current.tags
        }
    }

    /// Takes an object of tags; the range is that of its entries.
    mutating func takeTagEntries(level: Int, in bytes: RawSpan) throws(SyntaxError) -> Range<Int32> {
        let first = tagEntries.count
        try scanner.takeTags(into: &tagEntries, level: level, in: bytes)
        return Int32(first)..<Int32(tagEntries.count)
    }

    /// The entries of the context's tags that an event's own don't override.
    private func inherited(over own: Range<Int32>, in bytes: RawSpan) -> [TagEntry] {
        guard case .entries(let entries) = context.tags else { return [] }
        return entries.map { tagEntries[Int($0)] }.filter { entry in
            !own.contains { scanner.isSame(tagEntries[Int($0)].key, entry.key, in: bytes) }
        }
    }

    /// Judges an event's tags together with those of the context, its own first.
    func tagsFault(of own: Range<Int32>, in bytes: RawSpan) -> EventError? {
        let inherited = inherited(over: own, in: bytes)
        if own.count + inherited.count > ContractLimits.tags {
            return EventError(.outOfRange, EventError.Field(number: EventField.tags.rawValue, isContext: own.isEmpty))
        }
        if let fault = fault(of: own.map { tagEntries[Int($0)] }, isContext: false) { return fault }
        if case .wrongType = context.tags {
            return EventError(.wrongType, EventError.Field(number: EventField.tags.rawValue, isContext: true))
        }
        return fault(of: inherited, isContext: true)
    }

    private func fault(of entries: [TagEntry], isContext: Bool) -> EventError? {
        var field = EventError.Field(number: EventField.tags.rawValue, isContext: isContext)
        guard entries.allSatisfy(\.hasGoodKey) else { return EventError(.badFormat, field) }
        for entry in entries {
            guard let code = entry.fault else { continue }
            field.part = .tag
            field.tag = entry.key
            return EventError(code, field)
        }
        return nil
    }

    /// Puts an event's tags and those of the context into the arena.
    mutating func mergedTags(of own: Range<Int32>, in bytes: RawSpan) -> TextSlice {
        scanner.appendTagsToArena(own.map { tagEntries[Int($0)] } + inherited(over: own, in: bytes), in: bytes)
    }
}
