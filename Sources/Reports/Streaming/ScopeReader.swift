/// Says of scanned plays whether a scope holds them, and in which group they are.
struct ScopeReader {
    let scope: PlayScope
    let scanner: any PlayScanner

    private var tables: [ValueTable]
    private var hours: [ZoneHour]
    /// Keys made of two numbers each, one dimension after the other.
    private var pairs: [IndexTable]
    private var counts: [Int32]
    /// The numbers that a group's key is made of.
    private var groupKeys: [[Int32]] = []
    private var verdicts: [FilterVerdicts]
    private var sources = ValueTable(.source)
    private let download: Int32
    /// By entry of a play's delivery, where that alone decides.
    private var places: [Place?] = []
    private let isByDelivery: Bool

    init(_ scope: PlayScope, _ scanner: any PlayScanner) {
        self.scope = scope
        self.scanner = scanner
        tables = scope.dimensions.map(ValueTable.init)
        hours = scope.dimensions.contains(.hour) ? scope.zone.stretches(in: scope.span).map { ZoneHour($0) } : []
        pairs = scope.dimensions.map { _ in IndexTable() }
        counts = scope.dimensions.map { _ in 0 }
        verdicts = scope.filters.map { FilterVerdicts($0, zone: scope.zone) }
        isByDelivery = (scope.dimensions + scope.filters.map(\.dimension)).allSatisfy {
            [.cdnRegion, .cdn, .network, .source].contains($0)
        }
        download = sources.number(of: ByteText("download"))
    }

    private struct ZoneHour {
        let end: Int64
        let offset: Int64

        init(_ stretch: ReportZone.Stretch) {
            end = stretch.end
            offset = stretch.offset
        }
    }

    enum Place {
        /// Not in the scope.
        case outside
        /// In it but for being a download.
        case download
        case group(Int32)
    }

    mutating func place(_ play: ScannedPlay) throws -> Place {
        if let range = scope.range, !range.contains(play.endedAt) { return .outside }
        guard isByDelivery else { return try placeInRange(play) }
        let delivery = Int(play.delivery)
        while places.count <= delivery { places.append(nil) }
        if let place = places[delivery] { return place }
        let place = try placeInRange(play)
        places[delivery] = place
        return place
    }

    private mutating func placeInRange(_ play: ScannedPlay) throws -> Place {
        guard try isChosen(play) else { return .outside }
        return try isLeftOut(play) ? .download : .group(try group(play))
    }

    /// Whether every filter holds.
    mutating func isChosen(_ play: ScannedPlay) throws -> Bool {
        for index in verdicts.indices {
            guard try verdicts[index].holds(play, scanner) else { return false }
        }
        return true
    }

    /// Whether the play is a download, where the scope leaves them out.
    mutating func isLeftOut(_ play: ScannedPlay) throws -> Bool {
        try scope.leavesOutDownloads && sources.number(of: play.delivery, in: scanner) == download
    }

    /// What of a play the dimensions and filters need.
    var parts: ScannedPlay.Parts {
        var parts: ScannedPlay.Parts = []
        for dimension in scope.dimensions + scope.filters.map(\.dimension) {
            switch dimension {
            case .videoId: parts.insert(.video)
            case .tag: parts.insert(.tags)
            default: break
            }
        }
        return parts
    }

    /// The group's number, from 0; all plays are group 0 when there are no dimensions.
    mutating func group(_ play: ScannedPlay) throws -> Int32 {
        var key: Int32 = 0
        for index in tables.indices {
            let value =
                tables[index].dimension == .hour
                ? hour(play.endedAt, index)
                : try tables[index].number(of: play.entry(tables[index].dimension), in: scanner)
            let found = pairs[index].number(of: IndexTable.key(key, value), orElse: counts[index])
            if found == counts[index] {
                counts[index] += 1
                if index == tables.count - 1 {
                    groupKeys.append(try numbers(play))
                    try scope.check(groups: groupKeys.count)
                }
            }
            key = found
        }
        return key
    }

    private mutating func numbers(_ play: ScannedPlay) throws -> [Int32] {
        try tables.indices.map { index in
            tables[index].dimension == .hour
                ? hour(play.endedAt, index)
                : try tables[index].number(of: play.entry(tables[index].dimension), in: scanner)
        }
    }

    private mutating func hour(_ instant: Int64, _ index: Int) -> Int32 {
        let offset = hours.first { instant < $0.end }?.offset ?? 0
        return tables[index].number(of: ByteText(String(LocalHour(of: instant, offset: offset).code)))
    }

    /// The key of each group, by number.
    var keys: [GroupKey] {
        scope.dimensions.isEmpty
            ? [GroupKey([])]
            : groupKeys.indices.map { key(of: Int32($0)) }
    }

    /// The key of one group.
    func key(of group: Int32) -> GroupKey {
        if scope.dimensions.isEmpty { return GroupKey([]) }
        return GroupKey(
            zip(tables, groupKeys[Int(group)]).map { table, number in table.values[Int(number)] })
    }
}

/// One filter, and what it says of each dictionary entry.
private struct FilterVerdicts {
    private let filter: PlayFilter
    private let value: ByteText
    /// For days and hours: the times that are meant.
    private let times: Range<Int64>?
    private var table: ValueTable

    init(_ filter: PlayFilter, zone: ReportZone) {
        self.filter = filter
        value = ByteText(filter.value)
        times = filter.times(in: zone)
        table = ValueTable(filter.dimension)
    }

    mutating func holds(_ play: ScannedPlay, _ scanner: any PlayScanner) throws -> Bool {
        let isEqual: Bool
        if filter.isAboutTime {
            isEqual = times?.contains(play.endedAt) ?? false
        } else {
            let number = try table.number(of: play.entry(filter.dimension), in: scanner)
            isEqual = table.values[Int(number)] == value
        }
        return isEqual != filter.isNegated
    }
}
