internal import Queries

/// Reads the senders' accounts and the plays that arrived with them.
struct DeliveryMaker {
    let store: any ReportStore
    let request: ReportRequest
    /// No play is placed further before its receipt than this: 30 days, in ms.
    private static let longestAge: Int64 = 30 * millisecondsPerDay

    /// What is to look at the plays that some other scan reads; nil where there is nothing to see, or no scan.
    ///
    /// - Throws: what the store says of a query.
    func sideCount() throws -> SideCount? {
        guard let scanner = store.scanner, let ledger = try ledger(), let scope = try scope() else { return nil }
        return SideCount(ledger: ledger, arrivals: ArrivalCount(scope, ledger.finder, scanner))
    }

    /// Accounts, and what looks at the plays that came with them.
    struct SideCount {
        var ledger: SenderLedger
        let arrivals: ArrivalCount
    }

    /// - Parameters:
    ///   - nameOfAll: what the one period is called when there is one for all plays; nil without a play.
    ///   - counted: the ledger after all plays, where they have been looked at already.
    /// - Throws: what the store says of a query.
    func periods(nameOfAll: String?, counted: SenderLedger? = nil) throws -> [DeliveryReport.Period] {
        let name = name(ofAll: nameOfAll)
        guard let ledger = try counted ?? ledger().map(withPlays) else { return [] }
        return ledger.groups(request).sorted { $0.key < $1.key }.compactMap { period, groups in
            guard let name = request.isByDay ? CalendarDay(number: period).description : name else { return nil }
            var all = DeliveryFigures(names: request.namesOfAll)
            for figures in groups.values { all.add(figures) }
            return DeliveryReport.Period(name: name, groups: request.dimensions.isEmpty ? [] : sorted(groups), all: all)
        }
    }

    /// The times of receipt that the report covers, nil for all of them.
    private var receipts: Range<Int64>? {
        request.days == .all ? nil : request.range
    }

    /// The name of a period of all of them.
    private func name(ofAll nameOfAll: String?) -> String? {
        switch request.days {
        case .all: nameOfAll
        case .day(let day): day.description
        case .range(let first, let last): request.zone.rangeName(from: first, to: last)
        }
    }

    /// The senders' accounts without plays; nil when the report covers no time.
    private func ledger() throws -> SenderLedger? {
        let receipts = receipts
        guard receipts?.isEmpty != true else { return nil }
        let days = DayFinder(zone: request.zone)
        let isByDay = request.isByDay
        var ledger = SenderLedger { instant in
            // Pruning dates before 1970 what is there for later accounts to be set against, and says nothing of its day.
            guard instant >= 0, receipts?.contains(instant) != false else { return nil }
            return isByDay ? days.day(of: instant).number : 0
        }
        try addAccounts(to: &ledger, receipts)
        ledger.sort()
        return ledger
    }

    private func sorted(_ groups: [GroupKey: DeliveryFigures]) -> [DeliveryFigures] {
        groups.sorted { one, other in
            if one.value.arrived != other.value.arrived { return one.value.arrived > other.value.arrived }
            return one.key.values.lexicographicallyPrecedes(other.key.values)
        }.map(\.value)
    }

    private func addAccounts(to ledger: inout SenderLedger, _ receipts: Range<Int64>?) throws {
        if let scanner = store.scanner { return try AccountReader(scanner).read(receipts) { ledger.add($0) } }
        var senders: [ByteText: Int] = [:]
        let end = receipts?.upperBound ?? .max
        let bounds: [SQLValue] = [end, receipts?.lowerBound ?? .min, end].map { .integer($0) }
        try store.rows(QueryFile.accounts.sql(scope: ""), bounds) { row in
            let name = row.withText(0) { ByteText($0) }
            let sender = senders[name] ?? senders.count
            senders[name] = sender
            let arrivals = (row.integer(6), row.integer(7))
            ledger.add(
                Account(
                    sender: sender, sequence: row.integer(1), made: row.integer(2), dropped: row.integer(3),
                    rejected: row.integer(4), receivedAt: row.integer(5),
                    arrivals: arrivals.0 <= arrivals.1 ? arrivals.0...arrivals.1 : nil))
        }
    }

    /// The plays that may have come in the times of receipt; nil when there is none.
    private func scope() throws -> PlayScope? {
        let range = receipts.map { $0.lowerBound - Self.longestAge..<$0.upperBound }
        guard let span = try range ?? PeriodFinder(store: store, request: request).span() else { return nil }
        var scope = PlayScope(request, dialect: store.dialect, range: range, span: span)
        scope.receipts = receipts
        return scope
    }

    private func withPlays(_ ledger: SenderLedger) throws -> SenderLedger {
        guard let scope = try scope() else { return ledger }
        var ledger = ledger
        if let scanner = store.scanner {
            var count = ArrivalCount(scope, ledger.finder, scanner)
            // No play of another hour of receipt has to be seen, whenever it ended.
            let stretch = PlayStretch(hours: count.receipts, receipts: count.receipts)
            try scanner.scan(stretch, count.parts) { play in try count.add(play) }
            ledger.add(count)
            return ledger
        }
        let (subquery, parameters) = scope.query(QueryFile.arrivals.columns)
        try store.rows(QueryFile.arrivals.sql(scope: subquery), parameters) { row in
            let key = GroupKey(request.dimensions.indices.map { index in row.withText(1 + index) { ByteText($0) } })
            ledger.add(
                arrival: row.integer(0), key: key, isLeftOut: row.integer(4) == 1, isChosen: row.integer(5) == 1)
        }
        return ledger
    }
}
