internal import Archive
internal import Glibc
internal import PlaybackEvents

/// Brings lines from the logs into a store, one commit at a time. Used by one thread at a time.
final class FollowLoop {
    let store: any Store
    private let configuration: FollowerConfiguration
    private let readers: [LogKind: LogReader]
    /// Reused from chunk to chunk.
    private var lines = LoggedPlays()
    /// Up to where lines have been gathered.
    private var reached: LogPlaces
    /// Lines that still have to go to the quarantine before the next commit.
    private var unloadable: [UnloadableLine] = []

    init(store: any Store, data: DataPaths, configuration: FollowerConfiguration) {
        self.store = store
        self.configuration = configuration
        readers = Dictionary(
            uniqueKeysWithValues: LogKind.allCases.map { ($0, LogReader(directory: data.log($0), log: $0)) })
        reached = store.places
    }

    /// Loads what there is, up to one commit's worth; after a failure it goes on where that was.
    ///
    /// - Returns: whether anything was loaded, and whether the batch was full, so that there is likely more.
    func load() throws -> (loaded: Bool, full: Bool) {
        try quarantine()
        for log in LogKind.allCases {
            while store.gathered < configuration.batchRows, let chunk = try next(of: log) {
                take(chunk, of: log)
                reached[log] = chunk.end
                try quarantine()
            }
        }
        guard reached != store.places else { return (false, false) }
        let isFull = store.gathered >= configuration.batchRows
        try store.commit(upTo: reached)
        return (true, isFull)
    }

    /// Forgets what was gathered and not committed.
    func discard() throws {
        unloadable = []
        reached = store.places
        try store.discard()
    }

    private func next(of log: LogKind) throws -> LogChunk? {
        try readers[log]?.next(
            after: reached[log], upTo: configuration.durableEnd?(log), maxBytes: configuration.chunkBytes)
    }

    private func take(_ chunk: LogChunk, of log: LogKind) {
        for damage in chunk.damage { configuration.onNotice(.damaged(damage)) }
        switch log {
        case .plays: takePlays(chunk)
        case .rejected: takeRejections(chunk)
        }
    }

    private func takePlays(_ chunk: LogChunk) {
        lines.removeAll(keepingCapacity: true)
        // The line of the chunk that each entry was.
        var numbers: [Int] = []
        var unreadable = 0
        Self.forEachLine(of: chunk.lines) { number, line in
            do throws(LineFault) {
                try lines.append(line: line)
                numbers.append(number)
            } catch {
                unreadable += 1
                setAside(Array(line), chunk, number, "\(error.reason) (byte \(error.offset))")
            }
        }
        for index in store.gather(lines, unloadable: unreadable) {
            let line = Array(lines[lines.entries[index].line])
            setAside(line, chunk, numbers[index], "It has a value that no event can have.")
        }
    }

    private func setAside(_ line: [UInt8], _ chunk: LogChunk, _ number: Int, _ reason: String) {
        unloadable.append(UnloadableLine(line: line, place: chunk.start, number: number, reason: reason))
    }

    private func quarantine() throws {
        while let line = unloadable.first {
            try configuration.quarantine?(line)
            configuration.onNotice(.unloadable(line))
            unloadable.removeFirst()
        }
    }

    private func takeRejections(_ chunk: LogChunk) {
        var tally = RejectionTally()
        Self.forEachLine(of: chunk.lines) { _, line in
            // What a store set aside was not rejected, and a line that is none of ours counts for nothing.
            guard let rejected = try? QuarantineLine.parse(line), Rejection.Code(rawValue: rejected.code) != nil
            else { return }
            tally.add(code: rejected.code, receivedAt: rejected.receivedAt)
        }
        if !tally.isEmpty { store.gather(tally) }
    }

    /// Lends each line without its LF, with its number from 0.
    private static func forEachLine(of lines: [UInt8], _ body: (Int, UnsafeRawBufferPointer) -> Void) {
        lines.withUnsafeBytes { lines in
            var start = 0
            var number = 0
            while start < lines.count, let base = lines.baseAddress {
                let feed = memchr(base + start, 0x0A, lines.count - start)
                let end = feed.map { UnsafeRawPointer($0) - base } ?? lines.count
                body(number, UnsafeRawBufferPointer(rebasing: lines[start..<end]))
                start = end + 1
                number += 1
            }
        }
    }
}
