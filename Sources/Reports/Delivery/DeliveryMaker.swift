internal import Queries

/// Reads the senders' accounts and the plays that arrived with them.
struct DeliveryMaker {
    let store: any ReportStore
    let request: ReportRequest
    /// What the one period is called when there is one for all plays; nil without a play.
    let nameOfAll: String?

    /// No play is placed further before its receipt than this: 30 days, in ms.
    private static let longestAge: Int64 = 30 * millisecondsPerDay

    /// - Throws: what the store says of a query.
    func periods() throws -> [DeliveryReport.Period] {
        let (receipts, name) = bounds
        guard receipts?.isEmpty != true else { return [] }
        let days = DayFinder(zone: request.zone)
        var ledger = SenderLedger { instant in
            guard receipts?.contains(instant) != false else { return nil }
            return request.isByDay ? days.day(of: instant).number : 0
        }
        try addAccounts(to: &ledger, receipts)
        ledger.sort()
        try addPlays(to: &ledger, receipts)
        return ledger.groups(request).sorted { $0.key < $1.key }.compactMap { period, groups in
            guard let name = request.isByDay ? CalendarDay(number: period).description : name else { return nil }
            var all = DeliveryFigures(names: request.dimensions.map { _ in "(all)" })
            for figures in groups.values { all.add(figures) }
            return DeliveryReport.Period(name: name, groups: request.dimensions.isEmpty ? [] : sorted(groups), all: all)
        }
    }

    /// The times of receipt that the report covers, nil for all of them, and the name of a period of all of them.
    private var bounds: (receipts: Range<Int64>?, name: String?) {
        switch request.days {
        case .all: (nil, nameOfAll)
        case .day(let day): (request.range, day.description)
        case .range(let first, let last): (request.range, request.zone.rangeName(from: first, to: last))
        }
    }

    private func sorted(_ groups: [GroupKey: DeliveryFigures]) -> [DeliveryFigures] {
        groups.sorted { one, other in
            if one.value.arrived != other.value.arrived { return one.value.arrived > other.value.arrived }
            return one.key.values.lexicographicallyPrecedes(other.key.values)
        }.map(\.value)
    }

    private func addAccounts(to ledger: inout SenderLedger, _ receipts: Range<Int64>?) throws {
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

    private func addPlays(to ledger: inout SenderLedger, _ receipts: Range<Int64>?) throws {
        let range = receipts.map { $0.lowerBound - Self.longestAge..<$0.upperBound }
        guard let span = try range ?? PeriodFinder(store: store, request: request).span() else { return }
        var scope = PlayScope(request, dialect: store.dialect, range: range, span: span)
        scope.receipts = receipts
        if let scanner = store.scanner { return try addScanned(scope, scanner, to: &ledger) }
        let (subquery, parameters) = scope.query(QueryFile.arrivals.columns)
        try store.rows(QueryFile.arrivals.sql(scope: subquery), parameters) { row in
            let key = GroupKey(request.dimensions.indices.map { index in row.withText(1 + index) { ByteText($0) } })
            ledger.add(
                arrival: row.integer(0), key: key, isLeftOut: row.integer(4) == 1, isChosen: row.integer(5) == 1)
        }
    }

    /// The same play by play.
    private func addScanned(_ scope: PlayScope, _ scanner: any PlayScanner, to ledger: inout SenderLedger) throws {
        var reader = ScopeReader(scope, scanner)
        var keys: [GroupKey] = []
        try scanner.scan(scope.hours, reader.parts) { play in
            guard scope.range?.contains(play.endedAt) != false, scope.receipts?.contains(play.receivedAt) != false
            else {
                return
            }
            let group = try reader.group(play)
            while keys.count <= Int(group) { keys.append(reader.key(of: Int32(keys.count))) }
            ledger.add(
                arrival: play.arrival, key: keys[Int(group)], isLeftOut: try reader.isLeftOut(play),
                isChosen: try reader.isChosen(play))
        }
    }
}
