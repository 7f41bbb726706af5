internal import Reports

/// Chooses plays by what their columns say, and then reads the rows of the chosen ones.
struct PlayPicker {
    private let question: PlaysQuestion
    private var candidates: [Candidate] = []
    private var total: Int64 = 0
    /// None that comes after it is chosen any more.
    private var last: PlayRank?

    private struct Candidate {
        var rank: PlayRank
        var facts: Facts
    }

    /// What columns and rows both say; plays that share all of it are as good as each other.
    private struct Facts: Hashable {
        var endedAt: Int64
        var receivedAt: Int64
        var startupMs: Int64
        var stalls: Int64
        var stalledMs: Int64
        var watchedMs: Int64
        var isFailed: Bool

        @inline(__always)
        init(_ plays: borrowing PlayColumns, _ index: Int) {
            endedAt = PlayPlacer.endedAt(index, plays)
            receivedAt = endedAt + plays.lagMs[index]
            startupMs = Int64(plays.startupMs[index])
            stalls = Int64(plays.stalls[index])
            stalledMs = Int64(plays.stalledMs[index])
            watchedMs = Int64(plays.watchedMs[index])
            isFailed = plays.error[index] != 0
        }

        init(_ play: PlayRecord) {
            endedAt = play.number(.endedAt) ?? 0
            receivedAt = play.number(.receivedAt) ?? 0
            startupMs = play.number(.startupMs) ?? -1
            stalls = play.number(.stalls) ?? 0
            stalledMs = play.number(.stalledMs) ?? 0
            watchedMs = play.number(.watchedMs) ?? 0
            isFailed = play.text(.errorCode) != nil
        }

        @inline(__always)
        func rank(_ choice: PlayChoice) -> PlayRank? {
            PlayRank(
                choice, startupMs: startupMs, stalls: stalls, stalledMs: stalledMs, watchedMs: watchedMs,
                isFailed: isFailed, endedAt: endedAt, receivedAt: receivedAt)
        }
    }

    init(_ question: PlaysQuestion) {
        self.question = question
    }

    private static let columns: PlayColumns.Selection = [
        .endedMs, .lagMs, .startupMs, .stalls, .stalledMs, .watchedMs, .error,
    ]

    /// - Throws: what the store says.
    func picked(
        _ reader: PlayColumnReader, _ dictionaries: PlayDictionaries, _ store: SQLiteReportStore
    ) throws -> ChosenPlays {
        var picker = self
        var scope = question.scope
        scope.dimensions = []
        let hours = question.times.map { Reports.hours(of: $0) }
        var placer = PlayPlacer(scope, span: try store.span(of: hours), dictionaries)
        let columns = placer.columns.union(Self.columns)
        try reader.narrow(to: question.times, columns: columns)
        try reader.forEachStretch(hours: hours, order: .forward, columns: columns, aliases: SessionAliases()) { plays in
            for index in 0..<plays.count {
                if let times = question.times, !times.contains(PlayPlacer.endedAt(index, plays)) { continue }
                if try placer.group(of: index, in: plays) >= 0 { picker.add(Facts(plays, index)) }
            }
        }
        picker.cut()
        return ChosenPlays(plays: try picker.records(store), total: picker.total)
    }

    @inline(__always)
    private mutating func add(_ facts: Facts) {
        guard let rank = facts.rank(question.choice) else { return }
        total += 1
        if let last, last < rank { return }
        candidates.append(Candidate(rank: rank, facts: facts))
        if candidates.count >= 2 * question.limit + 1_000 { cut() }
    }

    private mutating func cut() {
        candidates.sort { $0.rank < $1.rank }
        candidates.removeLast(max(0, candidates.count - question.limit))
        if candidates.count == question.limit { last = candidates.last?.rank }
    }

    /// The rows of the candidates, in their order.
    private func records(_ store: SQLiteReportStore) throws -> [PlayRecord] {
        var wanted: [Facts: Int] = [:]
        for candidate in candidates { wanted[candidate.facts, default: 0] += 1 }
        var found: [Facts: [PlayRecord]] = [:]
        let byHour = Dictionary(grouping: wanted.keys) { PlayHour(of: $0.endedAt).number }
        for (hour, facts) in byHour {
            let times = Set(facts.map { $0.endedAt - hour * 3_600_000 }).map(String.init).joined(separator: ", ")
            for table in PlayTable.allCases {
                for record in try store.records(of: table, "p.hour = \(hour) AND p.ended_ms IN (\(times))") {
                    let facts = Facts(record)
                    guard wanted[facts] != nil, isChosen(record) else { continue }
                    found[facts, default: []].append(record)
                }
            }
        }
        var records: [PlayRecord] = []
        for (facts, number) in wanted {
            records += (found[facts] ?? []).sorted(by: PlayRecord.precedes).prefix(number)
        }
        if case .sample = question.choice { return records.sorted(by: PlayRecord.precedes) }
        return records.sorted { one, other in
            guard let first = Facts(one).rank(question.choice), let second = Facts(other).rank(question.choice),
                first != second
            else { return PlayRecord.precedes(one, other) }
            return first < second
        }
    }

    private func isChosen(_ record: PlayRecord) -> Bool {
        if question.scope.leavesOutDownloads, record.text(.source) == "download" { return false }
        return question.scope.filters.allSatisfy { $0.holds(record, in: question.scope.zone) }
    }
}
