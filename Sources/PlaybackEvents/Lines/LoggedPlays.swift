internal import Platform

/// Lines of the archive as they are read back: plain values and one stretch of text, reused from chunk to chunk.
package struct LoggedPlays: Sendable {
    package enum Kind: Sendable, Equatable {
        case play(Play)
        case account(SenderAccount)
        /// So many plays stood there.
        case erased(plays: Int64, isRepeat: Bool)
    }

    /// One line. Texts are slices of ``LoggedPlays/text``.
    package struct Entry: Sendable, Equatable {
        package var kind: Kind
        package var requestId: Identifier128
        /// When its request was received, ms since 1970.
        package var receivedAt: Int64
        /// The event's place in its request, from 0; together with the request it names a play for ever. 0 for an account.
        package var index: Int32
        /// The line itself, without its LF.
        package var line: TextSlice
    }

    package private(set) var text: [UInt8] = []
    package private(set) var entries: [Entry] = []
    private var reader = LineReader()
    /// The request of the last line, and how many lines of plays it has had.
    private var request: Identifier128?
    private var ordinal: Int32 = 0

    package init() {}

    package subscript(slice: TextSlice) -> ArraySlice<UInt8> { text[slice.range] }

    /// The text of a slice, nil when it is absent.
    package func string(_ slice: TextSlice) -> String? {
        slice.isAbsent ? nil : String(decoding: text[slice.range], as: UTF8.self)
    }

    /// Forgets all lines. A chunk begins with the first line of a request, so the count of its lines begins anew.
    package mutating func removeAll(keepingCapacity: Bool) {
        text.removeAll(keepingCapacity: keepingCapacity)
        entries.removeAll(keepingCapacity: keepingCapacity)
        request = nil
        ordinal = 0
    }

    /// Takes a play for one that was erased.
    package mutating func eraseEntry(_ position: Int, isRepeat: Bool = false) {
        entries[position].kind = .erased(plays: 1, isRepeat: isRepeat)
    }

    /// Reads one line, without its LF, and keeps it.
    ///
    /// The lines held at a time are to stay far below the 2 GiB that a slice can reach; chunks of the log do.
    ///
    /// - Throws: ``LineError`` for a line that ``ArchiveLine`` could not have written; nothing of it is kept.
    package mutating func append(line: RawSpan) throws(LineError) {
        let base = text.count
        guard Int64(base) + 4 * Int64(line.byteCount) < Int64(Int32.max) else {
            throw LineError("The lines are too long to be held together.", at: 0)
        }
        do throws(LineError) {
            try reader.read(line, base: Int32(base))
        } catch {
            ordinal &+= 1
            throw error
        }
        var (requestId, receivedAt) = (reader.requestId, reader.receivedAt)
        if reader.isBare {
            guard let last = entries.last, let request else {
                throw LineError("It lacks receivedAt or requestId.", at: 0)
            }
            (requestId, receivedAt) = (request, last.receivedAt)
        }
        if requestId != request {
            request = requestId
            ordinal = 0
        }
        let slice = TextSlice(base..<base + line.byteCount)
        if let account = reader.account {
            entries.append(
                Entry(
                    kind: .account(account), requestId: reader.requestId, receivedAt: reader.receivedAt, index: 0,
                    line: slice))
        } else if let erased = reader.erased {
            entries.append(
                Entry(
                    kind: .erased(plays: erased.plays, isRepeat: erased.isRepeat), requestId: requestId,
                    receivedAt: receivedAt, index: reader.index ?? ordinal, line: slice))
            ordinal &+= Int32(erased.plays)
        } else {
            entries.append(
                Entry(
                    kind: .play(reader.play), requestId: reader.requestId, receivedAt: reader.receivedAt,
                    index: reader.index ?? ordinal, line: slice))
            ordinal &+= 1
        }
        text.append(line)
        text += reader.unescaped
    }
}
