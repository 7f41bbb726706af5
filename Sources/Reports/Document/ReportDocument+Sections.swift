internal import Platform

extension ReportDocument {
    /// The tables for people, in the order asked for; the comparison comes last.
    var sections: [HumanSection] {
        metrics.map(section) + (comparison.map { [$0.section()] } ?? []) + (experiment.map { [$0.section()] } ?? [])
    }

    private func section(_ metric: ReportMetric) -> HumanSection {
        switch metric {
        case .summary:
            HumanSection(title: "Summary", tables: tables("Summary", summaryColumns, plays), notes: notes)
        case .startup:
            HumanSection(title: "Startup", tables: tables("Startup", startupColumns, plays), notes: notes)
        case .rebuffering:
            HumanSection(title: "Rebuffering", tables: tables("Rebuffering", rebufferingColumns, plays), notes: notes)
        case .sessions:
            HumanSection(
                title: "Sessions", tables: tables("Sessions", sessionColumns, plays), notes: notes + sessionNotes)
        case .quality:
            HumanSection(
                title: "Data quality", tables: tables("Data quality", qualityColumns, plays), notes: qualityNotes)
        case .failures: failuresSection
        case .delivery: deliverySection
        case .histogram: histogramSection
        case .volume: volumeSection
        }
    }

    /// A column of numbers and where they come from.
    private typealias Source = (heading: String, text: (GroupFigures) -> HumanNumber.Text)

    private func tables(_ title: String, _ sources: [Source], _ report: PlayReport) -> [HumanTable] {
        report.periods.map { period in
            var table = HumanTable(
                title: title, period: period.name,
                columns: report.request.nameColumns + sources.map { HumanTable.Column(heading: $0.heading) })
            for figures in GroupOrder(request: report.request).forPeople(period.groups) + [period.all] {
                var counts = sources.map { HumanTable.Cell($0.text(figures), tone: figures.tone) }
                counts[0].link = plays(of: figures, report.request)
                table.rows.append(nameCells(figures, report.request) + counts)
            }
            return table
        }
    }

    /// Where the number of a group's plays leads; nowhere from the groups that have no name of their own.
    private func plays(of figures: GroupFigures, _ request: ReportRequest, errorCode: String? = nil) -> String? {
        figures.isOther ? nil : links?.plays(request.dimensions, figures.names, errorCode: errorCode)
    }

    /// The names of a group, each of which leads to the page of the plays that share it.
    private func nameCells(_ figures: GroupFigures, _ request: ReportRequest) -> [HumanTable.Cell] {
        zip(request.dimensions, figures.names).map { dimension, name in
            var cell = HumanTable.Cell(name, tone: figures.tone)
            if !figures.isAll, !figures.isOther { cell.link = links?.page(only: dimension, name) }
            return cell
        }
    }

    // MARK: One row a group

    private var summaryColumns: [Source] {
        [
            ("plays", { HumanNumber.count($0.totals[.plays]) }),
            ("startup p50", { HumanNumber.milliseconds($0.startupP50) }),
            ("startup p95", { HumanNumber.milliseconds($0.startupP95) }),
            ("rebuffering", { HumanNumber.percent($0.rebuffering) }),
            ("failures", { HumanNumber.percent($0.failed) }),
            ("data/session", { HumanNumber.bytes($0.dataPerSessionMean, $0.dataPerSessionInterval) }),
        ]
    }

    private var startupColumns: [Source] {
        [
            ("measured", { HumanNumber.count($0.totals[.measured]) }),
            ("p50", { HumanNumber.milliseconds($0.startupP50) }),
            ("p95", { HumanNumber.milliseconds($0.startupP95) }),
        ]
            + request.percents.map { percent in
                ("p\(percent)", { HumanNumber.milliseconds($0.startupPercentiles[percent] ?? Figure(nil)) })
            } + [
                ("within \(request.targetText)", { HumanNumber.percent($0.startupWithinTarget) }),
                ("left before start", { HumanNumber.percent($0.exitsBeforeStart) }),
                ("quick exits", { HumanNumber.count($0.totals[.quickExits]) }),
            ]
    }

    private var rebufferingColumns: [Source] {
        [
            ("started", { HumanNumber.count($0.totals[.started]) }),
            ("watched", { HumanNumber.duration($0.totals[.watchedMs]) }),
            ("rebuffering", { HumanNumber.percent($0.rebuffering) }),
            ("stalls an hour", { HumanNumber.number($0.stallsPerHour) }),
            ("plays with a stall", { HumanNumber.percent($0.playsWithStall) }),
        ]
    }

    private var sessionColumns: [Source] {
        [
            ("sessions", { HumanNumber.count($0.data.sessions) }),
            ("data mean", { HumanNumber.bytes($0.dataPerSessionMean, $0.dataPerSessionInterval) }),
            ("p50", { HumanNumber.bytes($0.data.p50) }),
            ("p95", { HumanNumber.bytes($0.data.p95) }),
            ("estimated", { HumanNumber.percent($0.estimatedRatio) }),
            ("bitrate", { HumanNumber.bitsPerSecond($0.averageBitrate) }),
            ("memory p50", { HumanNumber.bytes($0.memory.p50) }),
            ("p95", { HumanNumber.bytes($0.memory.p95) }),
        ]
    }

    private var qualityColumns: [Source] {
        let counts: [(String, PlayCount)] = [
            ("plays", .plays), ("no id", .withoutPlayId), ("no session", .withoutSession),
            ("no region", .withoutRegion), ("clock off", .clockSkewed), ("late", .late),
            ("unmeasured", .startupUnmeasured), ("retries", .retries), ("gave up", .gaveUp),
        ]
        return counts.map { heading, count in (heading, { HumanNumber.count($0.totals[count]) }) }
    }

    // MARK: Other rows

    private var failuresSection: HumanSection {
        let tables = failures.periods.map { period in
            var table = HumanTable(
                title: "Failures", period: period.name,
                columns: failures.request.nameColumns + [
                    .init(heading: "error code", isName: true), .init(heading: "phase", isName: true),
                    .init(heading: "failed"), .init(heading: "of plays"), .init(heading: "share"),
                ])
            for figures in GroupOrder(request: failures.request).forPeople(period.groups) + [period.all] {
                for failure in figures.failures {
                    var cells: [HumanTable.Cell] = [
                        .init(failure.code), .init(failure.phase), .init(HumanNumber.count(failure.plays)),
                        .init(HumanNumber.count(figures.totals[.plays])), .init(HumanNumber.percent(failure.ratio)),
                    ]
                    for index in cells.indices { cells[index].tone = figures.tone }
                    cells[0].link = links?.page(only: .errorCode, failure.code)
                    cells[2].link = plays(of: figures, failures.request, errorCode: failure.code)
                    table.rows.append(nameCells(figures, failures.request) + cells)
                }
            }
            return table
        }
        return HumanSection(title: "Failures", tables: tables, notes: phaseNotes + notes)
    }

    private var deliverySection: HumanSection {
        let request = delivery?.request ?? request
        let headings = [
            "senders", "made", "arrived", "dropped", "rejected", "lost", "surplus", "arrived", "failures", "at worst",
        ]
        let tables = (delivery?.periods ?? []).map { period in
            var table = HumanTable(
                title: "Delivery", period: period.name,
                columns: request.nameColumns + headings.map { HumanTable.Column(heading: $0) })
            for (figures, isAll) in period.groups.map({ ($0, false) }) + [(period.all, true)] {
                let counts = figures.sums.counts
                let totals = totals(of: figures.names, in: period.name, isAll: isAll)
                let texts =
                    counts.map { HumanNumber.count($0) } + [
                        HumanNumber.percent(figures.arrivedRatio), HumanNumber.percent(totals?.failureRatio),
                        HumanNumber.percent(totals.flatMap { $0.failureRatio(ifMissingFailed: figures.missing) }),
                    ]
                table.add(figures.names, texts, isAll: isAll)
            }
            return table
        }
        return HumanSection(
            title: "Delivery", tables: tables,
            notes: [
                "What senders say they made, by the day of receipt, against what arrived. Surplus arrived beyond what "
                    + "its sender made, and is no part of the share. At worst: the failure rate if every play that did not "
                    + "arrive had failed."
            ], absence: "No sender has said what it made.")
    }

    /// The plays of a group of delivery that has the same name among the groups of plays.
    private func totals(of names: GroupNames, in period: String, isAll: Bool) -> Totals? {
        guard let period = plays.periods.first(where: { $0.name == period }) else { return nil }
        return isAll ? period.all.totals : period.groups.first { $0.names == names }?.totals
    }

    private var histogramSection: HumanSection {
        let tables = plays.periods.map { period in
            var table = HumanTable(
                title: "Startup times", period: period.name,
                columns: request.nameColumns + [
                    .init(heading: "up to"), .init(heading: "plays"), .init(heading: "share"), .init(heading: "so far"),
                ])
            for figures in GroupOrder(request: request).forPeople(period.groups) + [period.all] {
                var passed: Int64 = 0
                for bin in figures.startups.coarse {
                    passed += bin.plays
                    let share = { (plays: Int64) in
                        HumanNumber.percent(Double(plays) / Double(figures.startups.count))
                    }
                    let texts = [
                        HumanNumber.milliseconds(bin.ms), HumanNumber.count(bin.plays), share(bin.plays), share(passed),
                    ]
                    table.add(figures.names, texts, isAll: figures.isAll)
                }
            }
            return table
        }
        return HumanSection(
            title: "Startup times", tables: tables,
            notes: ["Each row counts the measured plays up to its time and above the row before."])
    }

    private var volumeSection: HumanSection {
        let headings = ["plays", "delivered", "estimated", "downloads", "plays without bytes", "watched"]
        let tables = (volume?.periods ?? []).map { period in
            var table = HumanTable(
                title: "Volume", period: period.name,
                columns: [.init(heading: "CDN", isName: true), .init(heading: "CDN region", isName: true)]
                    + headings.map { HumanTable.Column(heading: $0) })
            for (figures, isAll) in period.groups.map({ ($0, false) }) + [(period.all, true)] {
                let totals = figures.totals
                let texts = [
                    HumanNumber.count(totals[.plays]), HumanNumber.bytes(totals.bytes),
                    HumanNumber.bytes(totals.estimatedBytes), HumanNumber.bytes(figures.downloads.bytes),
                    HumanNumber.count(totals[.withoutBytes]), HumanNumber.duration(totals[.watchedMs]),
                ]
                table.add(figures.names, texts, isAll: isAll)
            }
            return table
        }
        let leftOut = leftOutNote(
            (volume?.periods ?? []).reduce(0) { $0 + $1.groupsLeftOut }, by: VolumeReport.columns.map(\.column))
        return HumanSection(
            title: "Volume", tables: tables,
            notes: [
                "Bytes as the player counted them, or estimated from bitrate and playing time; GB are 10⁹ bytes. "
                    + "Downloads are beside them, not among them. Whoever left early may have been sent more than this."
            ] + leftOut)
    }

    // MARK: Notes

    /// What every table about plays needs.
    var notes: [String] {
        var notes = [
            "± is the larger half of the 95 % confidence interval, and parentheses hold its two ends. It is computed over "
                + "sessions, not plays; neither of the two means too few sessions."
        ]
        if plays.downloads > 0 {
            notes.append("\(HumanNumber.count(plays.downloads).value) plays of downloads left out: no CDN served them.")
        }
        let all = plays.periods.reduce(0) { $0 + $1.all.totals[.plays] }
        if let note = plays.sampled.note(of: all) { notes.append(note) }
        if !plays.periods.isEmpty, plays.periods.allSatisfy({ $0.all.totals[.withoutSession] == $0.all.totals[.plays] })
        {
            notes.append("No play belongs to a session: there is no data and no memory per session.")
        }
        if let note = plays.silenceNote { notes.append(note) }
        let late = plays.periods.reduce(0) { $0 + $1.all.totals[.late] }
        if plays.asOf != nil {
            notes.append(
                "\(HumanNumber.count(late).value) plays arrived more than an hour after their day had ended.")
        }
        return notes
            + leftOutNote(plays.periods.reduce(0) { $0 + $1.groupsLeftOut }, by: GroupOrder.columns.map(\.column))
    }

    /// - Parameter columns: those that the groups can be ordered by; else they are by plays.
    private func leftOutNote(_ groups: Int, by columns: [ReportColumn]) -> [String] {
        guard groups > 0 else { return [] }
        let column = columns.first { $0.name == request.sort }?.name ?? "plays"
        return [
            "\(HumanNumber.count(groups).value) groups are left out, with less \(column) than those shown; (all) has "
                + "their plays."
        ]
    }

    private var phaseNotes: [String] {
        var totals = Totals()
        for period in failures.periods { totals += period.all.totals }
        guard totals[.failed] > 0 else { return [] }
        let share = { (plays: Int64) in HumanNumber.percent(Double(plays) / Double(totals[.plays])).value }
        return [
            "Of all plays \(share(totals[.startFailures])) failed before the first frame, "
                + "\(share(totals[.failed] - totals[.startFailures])) after it."
        ]
    }

    private var sessionNotes: [String] {
        let without = plays.periods.reduce(0) { $0 + $1.all.totals[.withoutSession] }
        return without > 0
            ? ["\(HumanNumber.count(without).value) plays belong to no session, and are in none of these figures."] : []
    }

    private var qualityNotes: [String] {
        var totals = Totals()
        for period in plays.periods { totals += period.all.totals }
        var notes = [
            "Regions named by the play itself \(HumanNumber.count(totals[.regionFromEvent]).value), by its request "
                + "\(HumanNumber.count(totals[.regionFromContext]).value), by the region header "
                + "\(HumanNumber.count(totals[.regionFromHeader]).value).",
            "The player's own startup time was compared in \(HumanNumber.count(totals[.logStartupCompared]).value) plays; "
                + "in \(HumanNumber.count(totals[.logStartupDisagree]).value) it differs by more than 250 ms.",
            "The player's own stalls were compared in \(HumanNumber.count(totals[.playerStallsCompared]).value) plays; "
                + "in \(HumanNumber.count(totals[.playerStallsDisagree]).value) they differ by number or by more than 250 ms.",
        ]
        if let note = plays.silenceNote { notes.append(note) }
        if let receipts {
            let rejected = receipts.rejected.reduce(0) { $0 + $1.events }
            let codes = receipts.rejected.map { "\($0.code) \(HumanNumber.count($0.events).value)" }
            notes.append(
                "Received besides: \(HumanNumber.count(receipts.duplicates).value) repeats, "
                    + "\(HumanNumber.count(receipts.conflicts).value) of them with other content; "
                    + "\(HumanNumber.count(rejected).value) rejected events"
                    + (codes.isEmpty ? "." : " (\(codes.joined(separator: ", ")))."))
        }
        return notes
    }
}

extension GroupFigures {
    fileprivate var tone: HumanTable.Tone { isAll ? .strong : .plain }
}

extension ReportRequest {
    /// The columns of names in tables for people.
    var nameColumns: [HumanTable.Column] {
        dimensions.map { HumanTable.Column(heading: $0.heading, isName: true) }
    }
}

extension PlayDimension {
    /// What people call it.
    var heading: String {
        switch self {
        case .cdnRegion: "CDN region"
        case .cdn: "CDN"
        case .network: "network"
        case .appVersion: "app version"
        case .osVersion: "OS version"
        case .deviceModel: "device"
        case .player: "player"
        case .source: "source"
        case .videoId: "video"
        case .errorCode: "error code"
        case .endedBy: "ended by"
        case .day: "day"
        case .hour: "hour"
        case .tag(let name): name
        }
    }
}

extension ReportZone {
    /// `2026-11-30 05:12 UTC`, `2026-11-30 06:12 +01:00`.
    func time(_ instant: Int64) -> String {
        let offset = offset(at: instant)
        let hour = LocalHour(of: instant, offset: offset).label
        let minute = Int(floorQuotient(instant + offset, 60_000) % 60)
        let zone = name == "UTC" ? "UTC" : String(hour.suffix(6))
        return "\(hour.prefix(10)) \(hour.dropFirst(11).prefix(2)):\(minute.padded(to: 2)) \(zone)"
    }
}
