package import Archive
package import PlaybackEvents

/// A file of the logs of another data directory, or of this one.
package struct ArchiveFile {
    let source: ImportSource
    let log: LogKind
    /// When its first request was received, ms since 1970.
    let receivedAt: Int64

    /// Takes a file whose first line is one of a log; nil for one of requests, which stays as it is.
    package init?(_ source: ImportSource) {
        guard let first = source.first(limit: Importer.lineLimit), let line = try? ImportLine.parse(first),
            let log = line.log, let receivedAt = line.receivedAt
        else { return nil }
        source.rest()
        self.source = source
        self.receivedAt = receivedAt
        self.log =
            switch log {
            case .plays: .plays
            case .rejected: .rejected
            case .reports: .reports
            }
    }
}

/// Puts lines of other logs into this directory's, as they are and each once, under the requests that they have.
///
/// Files that are loaded together are merged by the time of receipt, so that of a play that two servers have got the first
/// stands, as if one server had got both.
package final class ArchiveImporter {
    private let paths: DataPaths
    private let committer: Committer
    private let tombstones: Tombstones
    private let times: () -> ClosedRange<Int64>
    private let onFault: (_ path: String, _ line: Int?, _ reason: String) -> Void
    private let onStop: (_ path: String, ImportError) -> Void
    private var waiting = LogLines(receivedAt: 0)
    /// Lines that the logs have of the day that is being imported.
    private var known: [LogKind: Set<LineName>] = [:]
    private var day: UTCDay?
    package private(set) var counts = Importer.Counts()

    /// - Parameters:
    ///   - tombstones: whose lines are not taken.
    ///   - times: of receipt, which are believed.
    ///   - onFault: gets each line, or file, that is not taken.
    ///   - onStop: gets each file that can't be read to its end.
    package init(
        paths: DataPaths, committer: Committer, tombstones: Tombstones,
        times: @autoclosure @escaping () -> ClosedRange<Int64> = Importer.anyTime,
        onFault: @escaping (_ path: String, _ line: Int?, _ reason: String) -> Void,
        onStop: @escaping (_ path: String, ImportError) -> Void
    ) {
        self.paths = paths
        self.committer = committer
        self.tombstones = tombstones
        self.times = times
        self.onFault = onFault
        self.onStop = onStop
    }

    /// Imports files together; returns when all of it is durable.
    ///
    /// - Parameter progress: gets the bytes of the files that are done, and all of them.
    /// - Throws: a ``CommitError`` or a ``FileError``; what was imported before stays.
    /// - Complexity: O(bytes of the files, and of this directory's files of the same days); memory for the names of the lines
    ///   of one day, and for as many open files as have receipts of one time.
    package func load(_ files: [ArchiveFile], progress: (Int, Int) -> Void) throws {
        let logs = files.filter { $0.log != .reports }
        for file in files where file.log == .reports {
            refuse(
                file.source.path, nil,
                "it is a log of players' reports: the plays that were made of them are in its server's archive")
        }
        // The one that begins first comes last.
        var later = Array(
            logs.enumerated().sorted { ($0.element.receivedAt, $0.offset) > ($1.element.receivedAt, $1.offset) }
                .map(\.element))
        let length = logs.reduce(0) { $0 + $1.source.length }
        var done = 0
        var open: [ArchivedRequests] = []
        while !later.isEmpty || !open.isEmpty {
            let first = open.indices.min { earlier(open[$0], open[$1]) }
            let time = first.flatMap { open[$0].head?.receivedAt } ?? .max
            if let next = later.last, next.receivedAt <= time {
                later.removeLast()
                open.append(requests(of: next))
            } else if let first, let request = open[first].head {
                try take(request, from: open[first].source.path, of: open[first].log)
                open[first].advance()
                progress(done + open.reduce(0) { $0 + $1.source.position }, length)
            }
            for file in open where file.head == nil {
                if let fault = file.fault { onStop(file.source.path, fault) }
                done += file.source.length
            }
            open.removeAll { $0.head == nil }
        }
        try commit()
    }

    private func requests(of file: ArchiveFile) -> ArchivedRequests {
        ArchivedRequests(file.source, log: file.log, tombstones: tombstones) { [self] in
            refuse(file.source.path, $0, $1)
        }
    }

    /// Of one time the file that was named first comes first, and stays first among those that are open.
    private func earlier(_ one: ArchivedRequests, _ other: ArchivedRequests) -> Bool {
        (one.head?.receivedAt ?? .max) < (other.head?.receivedAt ?? .max)
    }

    private func take(_ request: ArchivedRequest, from path: String, of log: LogKind) throws {
        let times = times()
        guard times.contains(request.receivedAt) else {
            return refuse(
                path, request.number, Importer.fault(ofTime: request.receivedAt, in: times, isOwn: true))
        }
        let day = UTCDay(holding: request.receivedAt)
        if day != self.day {
            try commit()
            (self.day, known) = (day, [:])
        }
        var names = try known.removeValue(forKey: log) ?? ArchivedEvents(paths: paths).names(in: log, receivedOn: day)
        let lines = request.lines.filter { !$0.isErased }
        counts.erased += request.lines.count - lines.count
        let taken = lines.filter { names.insert($0.name).inserted }
        known[log] = names
        counts.known += lines.count - taken.count
        if taken.isEmpty { return }
        waiting.receivedAt = request.receivedAt
        if log == .plays {
            counts.requests += 1
            counts.accepted += taken.count { $0.index != nil }
            waiting.plays += request.text(taken)
        } else {
            counts.rejected += taken.count
            waiting.rejected += request.text(taken)
        }
        if waiting.count >= Importer.groupBytes { try commit() }
    }

    private func refuse(_ path: String, _ line: Int?, _ reason: String) {
        counts.faults += 1
        onFault(path, line, reason)
    }

    private func commit() throws(CommitError) {
        defer { waiting = LogLines(receivedAt: waiting.receivedAt) }
        try committer.commit(waiting)
    }
}
