internal import Platform

/// Some plays behind a number, with what must be known to read them.
package struct PlayList: Sendable {
    package var request: ReportRequest
    package var choice: PlayChoice
    /// In the order of the choice.
    package var plays: [PlayRecord]
    /// How many there are of which these are some.
    package var total: Int64
    /// What the store has, where nothing was found.
    package var coverage: StoreCoverage?
}

/// The plays of a store.
package struct StoreCoverage: Sendable, Hashable {
    package var plays: Int64
    /// From the first hour that has plays to the last, ms since 1970; nil without any.
    package var times: Range<Int64>?

    /// `10,000 plays from 2026-11-28T00:00Z to 2026-11-30T00:00Z`.
    package func text(in zone: ReportZone) -> String {
        guard let times else { return "no plays" }
        let ends = [times.lowerBound, times.upperBound].map { Moment(milliseconds: $0).text(in: zone) }
        return "\(HumanNumber.count(plays).value) plays from \(ends[0]) to \(ends[1])"
    }
}

extension ReportMaker {
    /// So many plays of a session are listed at the most when nobody says how many.
    package static let mostOfSession = 10_000

    /// Plays one by one.
    ///
    /// - Parameters:
    ///   - request: which plays; its groups don't matter, and nothing of it for a session or one play.
    ///   - limit: nil: 50, or all of a session.
    /// - Throws: ``ReportRequestError`` for a filter's value that no play has ever had; what the store says.
    package func list(_ request: ReportRequest, _ choice: PlayChoice, limit: Int?) throws -> PlayList {
        try store.snapshot {
            if choice.id == nil { try checkFilters(request.filters) }
            let most = limit ?? (choice.id == nil ? 50 : Self.mostOfSession)
            let question = PlaysQuestion(PlayScope(limited(request)), in: request.range, choice, limit: most)
            let chosen = try store.plays(question)
            var list = PlayList(request: request, choice: choice, plays: chosen.plays, total: chosen.total)
            guard chosen.plays.isEmpty else { return list }
            let hours = try store.hours(in: nil)
            var times: Range<Int64>?
            if let first = hours.first, let last = hours.last {
                times = first.start..<last.start + millisecondsPerHour
            }
            list.coverage = StoreCoverage(plays: hours.reduce(0) { $0 + $1.plays }, times: times)
            return list
        }
    }
}

extension PlayList {
    /// `The 12 plays with the longest startup, of 431`.
    var heading: String {
        let shown = HumanNumber.count(plays.count).value
        let of = HumanNumber.count(total).value
        return switch choice {
        case .worst(.startup): "\(shown) of \(of) plays with a measured startup, the slowest first"
        case .worst(.stalls): "\(shown) of \(of) plays with a stall, the longest stalled first"
        case .worst(.failed): "\(shown) of \(of) failed plays, the newest first"
        case .sample(let seed): "\(shown) of \(of) plays, chosen at random with seed \(seed)"
        case .session(let id): "Session \(id.visible), \(shown) of \(of) plays"
        case .play(let id): "Play \(id.visible)"
        }
    }

    /// Which plays these are some of.
    var title: String { title(isForPage: false) }

    /// - Parameter isForPage: times are written as people write them.
    func title(isForPage: Bool) -> String {
        guard choice.id == nil else { return "Time zone \(request.zone.name)" }
        let filters = request.filters.isEmpty ? "All plays" : "Plays with \(request.filtersText)"
        let times = request.range.map { range in
            let name = request.zone.windowName(range)
            return " of \(isForPage ? PeriodWords.words(name) : name)"
        }
        return "\(filters)\(times ?? ""); time zone \(request.zone.name)"
    }

    /// What is wrong where nothing was found: the identifier, and what the store covers. Nil otherwise.
    package var absence: String? {
        guard let coverage else { return nil }
        let has = "; there are \(coverage.text(in: request.zone))"
        return switch choice {
        case .session(let id): "no play of a session '\(id.visible)'\(has)"
        case .play(let id): "no play '\(id.visible)'\(has)"
        case .worst, .sample: "no such plays\(has)"
        }
    }

    /// The table for machines.
    var table: ReportTable {
        ReportTable(
            name: "plays", columns: PlayField.allCases.map { ReportColumn($0.rawValue, $0.kind) },
            rows: plays.map { play in PlayField.allCases.map(play.cell) }, asOf: nil, downloads: 0, request: request)
    }

    package func csv() -> String { CSVRenderer.render(table) }

    /// `{"plays": [{"ended_at": …}], "of": 431, "seed": 1}`.
    package func json() -> String {
        let rows = plays.map { play in
            let fields = PlayField.allCases.map { field in
                "\"\(field.rawValue)\": \(field == .tags ? play.text(.tags) ?? "null" : JSONRenderer.value(play.cell(field)))"
            }
            return "{\(fields.joined(separator: ", "))}"
        }
        var head = "\"of\": \(total), \"time_zone\": \(JSONString.quoted(request.zone.name))"
        let filters = request.filters.map { JSONString.quoted($0.description) }
        if choice.id == nil { head += ", \"where\": [\(filters.joined(separator: ", "))]" }
        if case .sample(let seed) = choice { head += ", \"seed\": \(seed)" }
        return "{\(head), \"plays\": [\(rows.joined(separator: ",\n"))]}\n"
    }

    /// For a terminal.
    package func text() -> String {
        let head = (heading.wrapped(to: TextTableRenderer.width) + title.wrapped(to: TextTableRenderer.width)).map {
            $0 + "\n"
        }
        guard !plays.isEmpty else { return head.joined() }
        if case .play = choice { return head.joined() + "\n" + plays.map(facts).joined(separator: "\n") }
        return head.joined() + "\n" + TextTableRenderer.lines(humanTable, usesColour: false)
    }

    /// One play, a line for each thing that it says.
    private func facts(_ play: PlayRecord) -> String {
        let width = PlayField.allCases.map(\.rawValue.count).max() ?? 0
        return PlayField.allCases.compactMap { field -> String? in
            guard let text = human(play, field) else { return nil }
            return field.rawValue + String(repeating: " ", count: width + 2 - field.rawValue.count) + text + "\n"
        }.joined()
    }

    /// What a play says in words; nil for nothing.
    func human(_ play: PlayRecord, _ field: PlayField) -> String? {
        if let text = play.text(field) { return text.visible }
        guard let number = play.number(field) else { return nil }
        return switch field {
        case .endedAt, .receivedAt: Moment(milliseconds: number).text(in: request.zone)
        case .clockSkewed, .bytesEstimated: number == 1 ? "yes" : "no"
        case .bytes, .memoryBytes: HumanNumber.bytes(number).value
        case .avgBitrate: HumanNumber.bitsPerSecond(number).value
        case .attempt, .arrival, .stalls, .playerStalls: HumanNumber.count(number).value
        default: HumanNumber.milliseconds(number).value
        }
    }

    /// The fields that a row for people has; the session's id names the table of a session.
    private static let shown: [(field: PlayField, heading: String)] = [
        (.endedAt, "ended"), (.videoId, "video"), (.sessionId, "session"), (.cdnRegion, "CDN region"),
        (.network, "network"), (.startupMs, "startup"), (.stalls, "stalls"), (.stalledMs, "stalled"),
        (.watchedMs, "watched"), (.errorCode, "error"), (.playId, "play"),
    ]

    var humanTable: HumanTable {
        var shown = Self.shown
        if case .session = choice { shown.removeAll { $0.field == .sessionId } }
        var table = HumanTable(
            title: heading, period: title,
            columns: shown.map { .init(heading: $0.heading, isName: $0.field.isText || $0.field == .endedAt) })
        table.rows = plays.map { play in
            shown.map { field, _ in
                human(play, field).map { HumanTable.Cell($0, tone: field == .errorCode ? .bad : .plain) }
                    ?? HumanTable.Cell(HumanNumber.none)
            }
        }
        return table
    }
}

extension PlayFilter {
    /// Whether it chooses a play.
    package func holds(_ play: PlayRecord, in zone: ReportZone) -> Bool {
        if isAboutTime {
            let endedAt = play.number(.endedAt) ?? 0
            return times(in: zone).contains { $0.contains(endedAt) } != isNegated
        }
        let value = ByteText(play.value(of: dimension) ?? dimension.absent)
        return alternatives.contains { ByteText($0) == value } != isNegated
    }
}
