extension DocumentDecoder {
    /// Judges the events now that the whole document is read, and completes those that are accepted.
    mutating func finish(_ body: [UInt8]) -> PlayBatch {
        let bytes = body.span.bytes
        var batch = PlayBatch(receipt: receipt)
        batch.account = account
        batch.context = contextBytes
        batch.unknownFields = unknownFields
        batch.indices.reserveCapacity(events.count)
        let region = headerRegion(behind: bytes.byteCount)
        // Neighbours often have the same tags: those of `known` are in the arena already.
        var known: (own: Range<Int32>, merged: TextSlice)?
        var accepted = 0
        for index in events.indices {
            if let fault = fault(of: index, in: bytes) {
                batch.rejections.append(rejection(index, fault, in: bytes))
                continue
            }
            let own = events[index].tags
            if known?.own != own { known = (own, mergedTags(of: own, in: bytes)) }
            if accepted < index { plays[accepted] = plays[index] }
            complete(accepted, present: events[index].present, headerRegion: region)
            plays[accepted].tags = known?.merged ?? .absent
            batch.indices.append(Int32(index))
            accepted += 1
        }
        plays.removeLast(plays.count - accepted)
        swap(&batch.plays, &plays)
        batch.text = body
        if !scanner.arena.isEmpty {
            batch.text.reserveCapacity(body.count + scanner.arena.count)
            batch.text += scanner.arena
        }
        return batch
    }

    /// The first fault of an event in the contract's order, the context's values looked at where they are applied.
    private mutating func fault(of index: Int, in bytes: RawSpan) -> EventError? {
        let event = events[index]
        if event.isRefused { return event.fault }
        let faulty = context.faulty & ~event.present
        if faulty != 0 {
            let number = UInt8(faulty.trailingZeroBitCount)
            if number < event.fault?.field.number ?? .max, let code = context.faults[Int(number)] {
                return EventError(code, EventError.Field(number: number, isContext: true))
            }
        }
        if let fault = event.fault { return fault }
        if hasTags(event) {
            if judgedTags?.own != event.tags { judgedTags = (event.tags, tagsFault(of: event.tags, in: bytes)) }
            if let fault = judgedTags?.fault { return fault }
        }
        if plays[index].stalledMs > plays[index].watchedMs { return EventError(.stalledExceedsWatched, .stalledMs) }
        if plays[index].stalls == 0, plays[index].stalledMs > 0 {
            return EventError(.stalledWithoutStalls, .stalledMs)
        }
        return nil
    }

    private func hasTags(_ event: PendingEvent) -> Bool {
        if case .absent = context.tags { return !event.tags.isEmpty }
        return true
    }

    /// Fills in the context's texts, the region and the time of a play.
    private mutating func complete(_ position: Int, present: UInt32, headerRegion: TextSlice) {
        var inherited = context.present & ~present
        while inherited != 0 {
            let number = inherited.trailingZeroBitCount
            inherited &= inherited &- 1
            if let field = EventField(number: UInt8(number)) { plays[position].set(field, context.texts[number]) }
        }
        if present & EventField.cdnRegion.bit != 0 {
            plays[position].regionFrom = .event
        } else if context.present & EventField.cdnRegion.bit != 0 {
            plays[position].regionFrom = .context
        } else if !headerRegion.isAbsent {
            plays[position].cdnRegion = headerRegion
            plays[position].regionFrom = .header
        }
        plays[position].date(receivedAt: receipt.receivedAt)
    }

    /// Puts the operator's region header into the arena; absent where it is taken as none.
    private mutating func headerRegion(behind length: Int) -> TextSlice {
        guard let region = receipt.headerRegion else { return .absent }
        let start = length + scanner.arena.count
        scanner.arena += region
        return TextSlice(start..<start + region.count)
    }

    private func rejection(_ index: Int, _ fault: EventError, in bytes: RawSpan) -> Rejection {
        let range = Int(events[index].bytes.lowerBound)..<Int(events[index].bytes.upperBound)
        let tag = (0..<Int(fault.field.tag.count)).map { scanner.byte(of: fault.field.tag, $0, in: bytes) }
        return Rejection(
            index: index, code: fault.code, field: fault.field.name(tag: tag), message: fault.message, bytes: range)
    }
}
