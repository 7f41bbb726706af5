internal import ClickHouse
package import PlayStore
package import PlaybackEvents

/// What waits for one chunk: rows as they will be posted, but for the hours of the plays, which are decided last.
package struct GatheredChunk: LineGatherer {
    /// A play and the rest of its row.
    struct Row: Sendable {
        var play: StoredPlay
        /// Of what a repeat has to say again; only compared within this process.
        var content: Int
        /// The row without its first two columns, in ``GatheredChunk/text``.
        var tail: Range<Int>
    }

    private(set) var rows: [Row] = []
    private(set) var text: [UInt8] = []
    private(set) var accounts: [UInt8] = []
    private(set) var accountCount = 0
    private(set) var rejections = RejectionTally()
    /// The totals after the chunk, of which only those are meant that gathering decides: arrivals, accounts, unloadable.
    private(set) var end: StoreTotals
    /// The versions after the chunk.
    private(set) var versions: PlayVersions
    private let node: ClickHouseNode
    /// The account that was the last line but plays: its request, and the rest of its row.
    private var open: (request: Identifier128, head: [UInt8], first: Int64)?

    init(after totals: StoreTotals, _ versions: PlayVersions, node: ClickHouseNode) {
        end = totals
        self.versions = versions
        self.node = node
    }

    package var count: Int { rows.count + accountCount + rejections.events.count }

    package mutating func seal(reusing spent: consuming GatheredChunk?) -> GatheredChunk {
        var next = spent.take() ?? GatheredChunk(after: end, versions, node: node)
        next.empty(after: end, versions)
        swap(&self, &next)
        return next
    }

    /// Forgets what was gathered; keeps the memory.
    private mutating func empty(after totals: StoreTotals, _ versions: PlayVersions) {
        rows.removeAll(keepingCapacity: true)
        text.removeAll(keepingCapacity: true)
        accounts.removeAll(keepingCapacity: true)
        accountCount = 0
        rejections.removeAll()
        end = totals
        self.versions = versions
        open = nil
    }

    package mutating func gather(_ rejections: RejectionTally) {
        self.rejections.add(rejections)
    }

    package mutating func gather(_ lines: borrowing LoggedPlays, unloadable: Int) -> [Int] {
        var refused: [Int] = []
        rows.reserveCapacity(rows.count + lines.entries.count)
        let (text, entries) = (lines.text, lines.entries)
        let bytes = text.span.bytes
        for index in entries.indices {
            let entry = entries[index]
            if let open, entry.requestId != open.request { close() }
            switch entry.kind {
            case .play(let play):
                if !add(play, entry, bytes) { refused.append(index) }
            case .erased(let plays, _): end.arrivals += plays
            case .account(let account):
                close()
                begin(account, entry, bytes)
            }
        }
        // A chunk of the log ends with a request.
        close()
        end.unloadable += Int64(refused.count + unloadable)
        return refused
    }

    private mutating func add(_ play: Play, _ entry: LoggedPlays.Entry, _ bytes: RawSpan) -> Bool {
        let id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
        guard let stored = StoredPlay(play, id: id, arrival: end.arrivals + 1) else { return false }
        end.arrivals += 1
        let start = text.count
        let version = versions.next(receivedAt: stored.receivedAt)
        let content = PlayRow.append(play, stored, version: version, node: node, bytes, to: &text)
        rows.append(Row(play: stored, content: content, tail: start..<text.count))
        return true
    }

    private mutating func begin(_ account: SenderAccount, _ entry: LoggedPlays.Entry, _ bytes: RawSpan) {
        end.accounts += 1
        accountCount += 1
        var head: [UInt8] = []
        TSVText.append(node.arrival(end.accounts), to: &head)
        head.append(UInt8(ascii: "\t"))
        TSVText.append(bytes.extracting(account.senderId.range), to: &head)
        for value in [account.sequence, account.made, account.dropped, account.rejected, entry.receivedAt] {
            head.append(UInt8(ascii: "\t"))
            TSVText.append(value, to: &head)
        }
        open = (entry.requestId, head, end.arrivals + 1)
    }

    /// Ends the row of the account, now that the plays of its request are known.
    private mutating func close() {
        guard let (_, head, first) = open else { return }
        open = nil
        accounts += head
        for value in [first, end.arrivals] {
            accounts.append(UInt8(ascii: "\t"))
            TSVText.append(node.arrival(value), to: &accounts)
        }
        accounts.append(UInt8(ascii: "\t"))
        accounts += node.name.utf8
        accounts.append(UInt8(ascii: "\n"))
    }
}
