extension DocumentDecoder {
    /// Takes an event's own tags.
    mutating func takeTags(in bytes: RawSpan) throws(SyntaxFault) {
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
    mutating func takeTagEntries(level: Int, in bytes: RawSpan) throws(SyntaxFault) -> Range<Int32> {
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
    func tagsFault(of own: Range<Int32>, in bytes: RawSpan) -> EventFault? {
        let inherited = inherited(over: own, in: bytes)
        if own.count + inherited.count > ContractLimits.tags {
            return EventFault(.outOfRange, EventFault.Field(number: EventField.tags.rawValue, isContext: own.isEmpty))
        }
        if let fault = fault(of: own.map { tagEntries[Int($0)] }, isContext: false) { return fault }
        if case .wrongType = context.tags {
            return EventFault(.wrongType, EventFault.Field(number: EventField.tags.rawValue, isContext: true))
        }
        return fault(of: inherited, isContext: true)
    }

    private func fault(of entries: [TagEntry], isContext: Bool) -> EventFault? {
        var field = EventFault.Field(number: EventField.tags.rawValue, isContext: isContext)
        guard entries.allSatisfy(\.hasGoodKey) else { return EventFault(.badFormat, field) }
        for entry in entries {
            guard let code = entry.fault else { continue }
            field.part = .tag
            field.tag = entry.key
            return EventFault(code, field)
        }
        return nil
    }

    /// Puts an event's tags and those of the context into the arena.
    mutating func mergedTags(of own: Range<Int32>, in bytes: RawSpan) -> TextSlice {
        scanner.appendTagsToArena(own.map { tagEntries[Int($0)] } + inherited(over: own, in: bytes), in: bytes)
    }
}
