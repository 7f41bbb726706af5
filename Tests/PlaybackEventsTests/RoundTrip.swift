import PlaybackEvents
import Testing

/// Writes a batch as lines of the archive and reads them back.
enum RoundTrip {
    static func lines(of batch: PlayBatch, everyIndex: Bool = false) -> [UInt8] {
        var lines: [UInt8] = []
        ArchiveLine.append(batch, to: &lines, everyIndex: everyIndex)
        return lines
    }

    static func read(_ lines: [UInt8]) throws -> LoggedPlays {
        var logged = LoggedPlays()
        for line in lines.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            try line.withUnsafeBytes { try logged.append(line: $0) }
        }
        return logged
    }

    /// Expects what is read back to be the batch.
    static func expectSame(_ batch: PlayBatch, _ logged: LoggedPlays) {
        var entries = logged.entries[...]
        if let account = batch.account, let first = entries.first {
            guard case .account(let read) = first.kind else {
                Issue.record("The first line is no account.")
                return
            }
            #expect(logged.string(read.senderId) == batch.string(account.senderId))
            #expect(
                [read.sequence, read.made, read.dropped, read.rejected]
                    == [account.sequence, account.made, account.dropped, account.rejected])
            entries = entries.dropFirst()
        }
        #expect(entries.count == batch.plays.count)
        #expect(entries.map(\.index) == batch.indices)
        for (entry, play) in zip(entries, batch.plays) {
            #expect(entry.requestId == batch.receipt.requestId)
            #expect(entry.receivedAt == batch.receipt.receivedAt)
            guard case .play(let read) = entry.kind else {
                Issue.record("A line is no play.")
                continue
            }
            #expect(StoredPlay(read) { logged[$0] } == StoredPlay(play) { batch[$0] })
            #expect(logged.string(read.tags) == batch.string(play.tags))
        }
    }
}
