extension DocumentDecoder {
    /// Judges the events now that the whole document is read, and completes those that are accepted.
    mutating func finish(_ body: [UInt8]) -> PlayBatch {
        let bytes = body.span.bytes
        var batch = PlayBatch(receipt: receipt)
        batch.account = account
        batch.unknownFields = unknownFields
        batch.plays.reserveCapacity(events.count)
        batch.indices.reserveCapacity(events.count)
        let region = headerRegion(behind: bytes.byteCount)
        // Neighbours often have the same tags: those of `known` are in the arena already.
        var known: (own: Range<Int32>, merged: TextSlice)?
        for index in events.indices {
            if let fault = fault(of: events[index], in: bytes) {
                batch.rejections.append(rejection(index, fault, in: bytes))
                continue
            }
            batch.plays.append(events[index].play)
            batch.indices.append(Int32(index))
            let last = batch.plays.count - 1
            complete(&batch.plays[last], present: events[index].present, headerRegion: region)
            if known?.own != events[index].tags {
                let own = events[index].tags
                known = (own, mergedTags(of: own, in: bytes))
            }
            batch.plays[last].tags = known?.merged ?? .absent
        }
        batch.text = body
        if !scanner.arena.isEmpty {
            batch.text.reserveCapacity(body.count + scanner.arena.count)
            batch.text += scanner.arena
        }
        return batch
    }

    /// The first fault of an event in the contract's order, the context's values looked at where they are applied.
    private func fault(of event: PendingEvent, in bytes: RawSpan) -> EventFault? {
        if event.isRefused { return event.fault }
        let faulty = context.faulty & ~event.present
        if faulty != 0 {
            let number = UInt8(faulty.trailingZeroBitCount)
            if number < event.fault?.field.number ?? .max, let code = context.faults[Int(number)] {
                return EventFault(code, EventFault.Field(number: number, isContext: true))
            }
        }
        if let fault = event.fault { return fault }
        if hasTags(event), let fault = tagsFault(of: event, in: bytes) { return fault }
        if event.play.stalledMs > event.play.watchedMs { return EventFault(.stalledExceedsWatched, .stalledMs) }
        if event.play.stalls == 0, event.play.stalledMs > 0 { return EventFault(.stalledWithoutStalls, .stalledMs) }
        return nil
    }

    private func hasTags(_ event: PendingEvent) -> Bool {
        if case .absent = context.tags { return !event.tags.isEmpty }
        return true
    }

    /// Fills in the context's texts, the region and the time of a play.
    private func complete(_ play: inout Play, present: UInt32, headerRegion: TextSlice) {
        var inherited = context.present & ~present
        while inherited != 0 {
            let number = inherited.trailingZeroBitCount
            inherited &= inherited - 1
            if let field = EventField(rawValue: UInt8(number)) { play.set(field, context.texts[number]) }
        }
        if present & EventField.cdnRegion.bit != 0 {
            play.regionFrom = .event
        } else if !play.cdnRegion.isAbsent {
            play.regionFrom = .context
        } else if !headerRegion.isAbsent {
            play.cdnRegion = headerRegion
            play.regionFrom = .header
        }
        play.date(receivedAt: receipt.receivedAt)
    }

    /// Puts the operator's region header into the arena; absent where it is taken as none.
    private mutating func headerRegion(behind length: Int) -> TextSlice {
        guard let header = receipt.regionHeader, (1...EventField.cdnRegion.longest).contains(header.count),
            header[0] != UInt8(ascii: "("), UTF8Sequence.isValid(header.span.bytes),
            !UTF8Sequence.hasControl(header.span.bytes)
        else { return .absent }
        let start = length + scanner.arena.count
        scanner.arena += header
        return TextSlice(start..<start + header.count)
    }

    private func rejection(_ index: Int, _ fault: EventFault, in bytes: RawSpan) -> Rejection {
        let range = Int(events[index].bytes.lowerBound)..<Int(events[index].bytes.upperBound)
        let tag = (0..<Int(fault.field.tag.count)).map { scanner.byte(of: fault.field.tag, $0, in: bytes) }
        return Rejection(
            index: index, code: fault.code, field: fault.field.name(tag: tag), message: fault.message, bytes: range)
    }
}
