internal import Archive
internal import PlayFolding
internal import PlayStore
internal import PlaybackEvents

/// Decides, line by line and in the order of the logs, what becomes of them in an erasure: plays first, then the quarantine,
/// then what players reported.
final class LineErasure {
    /// New lines for a member, and how many differ; see ``LogEraser/make(_:_:)``.
    typealias Replaced = (forms: [[UInt8]], changed: Int)

    private let target: ErasureTarget
    private let tombstones: Tombstones
    /// Gets the lines of all requests that have some of the target.
    private let list: ErasedLines.Writer?

    /// Plays that go: a later line of one of them is a repeat, whatever session it says.
    private var plays: Set<Identifier128> = []
    /// Requests that have lines of the target.
    private var requests: Set<Identifier128> = []
    /// Events that name no session, and of which nobody can tell otherwise whose they are.
    private(set) var unjudged: [(requestId: Identifier128, index: Int64)] = []
    /// Whether a play that goes was put together from reports.
    private(set) var hasFolded = false
    /// Lines of plays that go.
    private(set) var playLines = 0

    init(_ target: ErasureTarget, list: ErasedLines.Writer?) {
        self.target = target
        tombstones = Tombstones(target)
        self.list = list
    }

    func replaced(_ kind: LogKind, _ member: LogEraser.Member) throws -> Replaced? {
        switch kind {
        case .plays: try plays(member)
        case .rejected: try rejected(member)
        case .reports: try reports(member)
        }
    }

    private static let nothing = Array("{}\n".utf8)

    // MARK: Plays

    private func plays(_ member: LogEraser.Member) throws -> Replaced? {
        var read = LoggedPlays()
        // For each line its entry, nil for one that can't be read.
        var positions: [Int?] = []
        let lines = member.lines.split(separator: 0x0A)
        for line in lines {
            let isRead = (try? read.append(line: line.span.bytes)) != nil
            positions.append(isRead ? read.entries.count - 1 : nil)
        }
        var fates = [ErasedLines.Fate?](repeating: nil, count: read.entries.count)
        for position in read.entries.indices { fates[position] = fate(of: read.entries[position], read) }
        let strange = positions.indices.filter { positions[$0] == nil && tombstones.has(anyTextOf: lines[$0]) }
        guard fates.contains(where: { $0 != nil }) || !strange.isEmpty else { return nil }
        try note(read, fates, lines, positions, member.end)

        // The first says all; the others leave out what follows from the lines before, for a member that has little room.
        var forms: [[UInt8]] = [[], [], []]
        var changed = 0
        var before: (request: Identifier128?, next: Int32) = (nil, 0)
        for (number, line) in lines.enumerated() {
            let kept = Array(line) + [0x0A]
            guard let position = positions[number] else {
                let isStrange = strange.contains(number)
                changed += isStrange ? 1 : 0
                for form in forms.indices { forms[form] += isStrange ? Self.nothing : kept }
                continue
            }
            let entry = read.entries[position]
            let follows = entry.requestId == before.request
            if !follows { before = (entry.requestId, 0) }
            if let fate = fates[position] {
                changed += 1
                let isImplied = entry.index == before.next
                if let left = Self.left(of: entry, fate) {
                    left.append(to: &forms[0])
                    left.append(to: &forms[1], withIndex: !isImplied)
                    // One of reports has another request than the play had.
                    if follows, isImplied, left.requestId == entry.requestId {
                        left.appendBare(to: &forms[2])
                    } else {
                        left.append(to: &forms[2], withIndex: !isImplied)
                    }
                } else {
                    for form in forms.indices { forms[form] += Self.nothing }
                }
            } else {
                for form in forms.indices { forms[form] += kept }
            }
            switch entry.kind {
            case .play: before.next &+= 1
            case .erased(let plays, _): before.next &+= Int32(clamping: plays)
            case .account: break
            }
        }
        return (forms, changed)
    }

    /// What becomes of an entry that goes; nil for one that stays.
    private func fate(of entry: LoggedPlays.Entry, _ read: LoggedPlays) -> ErasedLines.Fate? {
        guard case .play(let play) = entry.kind else { return nil }
        let id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
        guard tombstones.has(play, id: id, in: read.text) || plays.contains(id) else { return nil }
        if play.isFolded(in: entry.requestId) { hasFolded = true }
        requests.insert(entry.requestId)
        playLines += 1
        return plays.insert(id).inserted ? .erased : .erasedRepeat
    }

    /// Nil for a play that no store can have taken: it stays a line that can't be read.
    private static func left(of entry: LoggedPlays.Entry, _ fate: ErasedLines.Fate) -> ErasedLine? {
        guard case .play(let play) = entry.kind,
            StoredPlay(play, id: Identifier128(high: 0, low: 0), arrival: 0) != nil
        else { return nil }
        var line = ErasedLine(entry)
        line.isRepeat = fate == .erasedRepeat
        return line
    }

    /// Lists the lines of all requests that have one that goes.
    private func note(
        _ read: LoggedPlays, _ fates: [ErasedLines.Fate?], _ lines: [ArraySlice<UInt8>], _ positions: [Int?],
        _ end: LogPosition
    ) throws {
        guard let list else { return }
        var touched: Set<Identifier128> = []
        for position in read.entries.indices where fates[position] != nil {
            touched.insert(read.entries[position].requestId)
        }
        for (number, line) in lines.enumerated() {
            guard let position = positions[number], touched.contains(read.entries[position].requestId) else { continue }
            let entry = read.entries[position]
            switch entry.kind {
            case .account: try list.add(.account, line, index: entry.index, end: end)
            case .play: try list.add(fates[position] ?? .kept, line, index: entry.index, end: end)
            case .erased(let plays, let isRepeat):
                // It may lean on the line before.
                var whole = ErasedLine(
                    receivedAt: entry.receivedAt, requestId: entry.requestId, index: Int64(entry.index))
                (whole.plays, whole.isRepeat) = (plays, isRepeat)
                var text: [UInt8] = []
                whole.append(to: &text)
                try list.add(.kept, text.dropLast(), index: entry.index, end: end)
            }
        }
    }

    // MARK: The quarantine

    private func rejected(_ member: LogEraser.Member) throws -> Replaced? {
        let lines = member.lines.split(separator: 0x0A)
        let events = lines.map { try? QuarantineLine.parse($0.span.bytes) }
        var goes = lines.indices.map { number in
            events[number].map { !$0.isErased && $0.isErased(tombstones) } ?? tombstones.has(anyTextOf: lines[number])
        }
        if target.kind == .session { judgeByRequest(events, &goes) }
        guard goes.contains(true) else { return nil }
        var form: [UInt8] = []
        for number in lines.indices {
            if !goes[number] {
                form += lines[number] + [0x0A]
            } else if let event = events[number] {
                var left = ErasedLine(receivedAt: event.receivedAt, requestId: event.requestId, index: event.index)
                left.code = event.code
                left.append(to: &form)
            } else {
                form += Self.nothing
            }
        }
        return ([form], goes.count { $0 })
    }

    /// An event that names no session goes with its request, where that is known to be of the session.
    private func judgeByRequest(_ events: [QuarantineLine?], _ goes: inout [Bool]) {
        for (number, event) in events.enumerated() where goes[number] {
            // Lines that a store set aside have no request of their own.
            if let event, event.code != UnloadableLine.code { requests.insert(event.requestId) }
        }
        for (number, event) in events.enumerated() {
            guard let event, !goes[number], !event.isErased, !event.namesSession else { continue }
            if requests.contains(event.requestId) {
                goes[number] = true
            } else if event.isIncomplete {
                unjudged.append((event.requestId, event.index))
            }
        }
    }

    // MARK: Reports of players

    private func reports(_ member: LogEraser.Member) throws -> Replaced? {
        var form: [UInt8] = []
        var changed = 0
        for line in member.lines.split(separator: 0x0A) {
            guard var report = try? ReportLine.parse(line.span.bytes) else {
                let goes = tombstones.has(anyTextOf: line)
                form += goes ? Self.nothing : line + [0x0A]
                changed += goes ? 1 : 0
                continue
            }
            let removed = tombstones.remove(from: &report)
            if removed == 0 {
                form += line + [0x0A]
            } else if report.reports.isEmpty {
                // To whoever makes plays of the log it only says what time it was.
                ErasedLine(receivedAt: report.receivedAt, requestId: report.requestId, index: nil).append(to: &form)
                changed += 1
            } else {
                report.append(to: &form)
                changed += 1
            }
        }
        return changed > 0 ? ([form], changed) : nil
    }
}

extension ErasedLine {
    /// What stays of a play.
    init(_ entry: LoggedPlays.Entry) {
        var requestId = entry.requestId
        // The request of a play that was put together from reports is the play itself.
        if case .play(let play) = entry.kind, play.isFolded(in: requestId) { requestId = .random() }
        self.init(receivedAt: entry.receivedAt, requestId: requestId, index: Int64(entry.index))
    }

    fileprivate func append(to lines: inout [UInt8], withIndex: Bool) {
        var line = self
        if !withIndex { line.index = nil }
        line.append(to: &lines)
    }
}

extension QuarantineLine {
    /// Something of what the event came with was not kept, which may have named its session.
    fileprivate var isIncomplete: Bool {
        if case .tooLong = context { return true }
        return code == CMCDError.code
    }
}
