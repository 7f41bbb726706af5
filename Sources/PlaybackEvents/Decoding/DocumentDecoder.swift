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
    var judgedTags: (own: Range<Int32>, fault: EventFault?)?
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
    /// - Throws: ``SyntaxFault`` when it is no JSON.
    mutating func read(_ bytes: RawSpan) throws(SyntaxFault) {
        scanner.skipByteOrderMark(in: bytes)
        scanner.skipSpace(in: bytes)
        if try scanner.peek(in: bytes) == UInt8(ascii: "{") {
            isObject = true
            try takeDocument(in: bytes)
        } else {
            try scanner.skipValue(in: bytes, level: 0)
        }
        scanner.skipSpace(in: bytes)
        guard scanner.at == bytes.byteCount else { throw SyntaxFault(offset: scanner.at) }
    }

    private mutating func takeDocument(in bytes: RawSpan) throws(SyntaxFault) {
        guard try scanner.takeOpening(closing: UInt8(ascii: "}"), in: bytes) else { return }
        repeat {
            let place = scanner.at
            let key = try scanner.takeString(in: bytes, keeping: true).slice
            scanner.keys.push(key, at: place)
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

    private mutating func takeVersion(in bytes: RawSpan) throws(SyntaxFault) {
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

    private mutating func takeEvents(in bytes: RawSpan) throws(SyntaxFault) {
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
            scanner.scope = ScopeFaults()
            if eventCount <= ContractLimits.events {
                try takeElement(in: bytes)
            } else {
                scanner.scope.keysEnd = 0
                try scanner.skipValue(in: bytes, level: 2)
            }
        } while try scanner.takeComma(orClose: UInt8(ascii: "]"), in: bytes)
        scanner.scope = outside
        scanner.field = ScopeFaults.noField
    }

    private mutating func takeElement(in bytes: RawSpan) throws(SyntaxFault) {
        let start = scanner.at
        current = PendingEvent()
        play = Play()
        if try scanner.peek(in: bytes) == UInt8(ascii: "{") {
            try takeEvent(in: bytes)
        } else {
            scanner.scope.keysEnd = 0
            try scanner.skipValue(in: bytes, level: 2)
            current.refuse(EventFault(.wrongType))
        }
        current.bytes = Int32(start)..<Int32(scanner.at)
        events.append(current)
        plays.append(play)
    }

    /// Why the request as a whole is not taken, in the contract's order.
    var requestFault: RequestFault? {
        let outside = scanner.scope
        if outside.hasLoneSurrogate {
            return RequestFault(.invalidJSON, "A string outside the events holds half of a surrogate pair.")
        }
        if outside.isTooDeep {
            return RequestFault(.invalidJSON, "The document has more than \(ContractLimits.depth) levels.")
        }
        guard isObject else { return RequestFault(.invalidShape, "The document must be an object.") }
        if outside.duplicatePlace != .max {
            return RequestFault(.duplicateKey, "An object outside the events has a key twice.")
        }
        if version == .bad { return RequestFault(.unsupportedVersion, "schemaVersion must be 1 or absent.") }
        guard eventsMember == .good else { return RequestFault(.invalidShape, "events must be an array.") }
        if contextMember == .bad { return RequestFault(.invalidShape, "context must be an object or absent.") }
        if senderMember == .bad { return RequestFault(.invalidShape, "sender must be an object or absent.") }
        if eventCount > ContractLimits.events {
            return RequestFault(
                .tooLarge, "A request holds at most \(ContractLimits.events) events.", limit: ContractLimits.events)
        }
        return nil
    }
}
