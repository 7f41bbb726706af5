internal import Reports
internal import SQLite

/// Says of plays in columns whether a scope holds them, and in which group they are.
struct PlayPlacer {
    /// Not in the scope.
    static let outside: Int32 = -1
    /// In it but for being a download.
    static let download: Int32 = -2

    private let scope: PlayScope
    private let dictionaries: PlayDictionaries
    private var values: [DimensionValues]
    private var filters: [Filter]
    private var sources = DimensionValues(.source)
    private let downloadNumber: Int32
    /// Stretches of time with one distance from UTC, where hours are groups.
    private let offsets: [ReportZone.Stretch]
    /// Numbers of groups by the numbers of their values, a pair at a time.
    private var pairs: [UInt64: Int32] = [:]
    private var keys: [[Int32]] = []
    private var steps: Int32 = 0
    /// By entry of the context, where that alone decides; `Int32.min` is not known yet.
    private var byContext: [Int32] = []
    /// Whether CDN, region, network and source are all that it looks at.
    let isByContext: Bool

    private struct Filter {
        let filter: PlayFilter
        /// For days and hours.
        let times: [Range<Int64>]
        var values: DimensionValues
        let alternatives: [ByteText]
    }

    /// - Parameter span: times that hold every play, ms since 1970.
    init(_ scope: PlayScope, span: Range<Int64>, _ dictionaries: PlayDictionaries) {
        self.scope = scope
        self.dictionaries = dictionaries
        values = scope.dimensions.map { DimensionValues($0) }
        filters = scope.filters.map { filter in
            Filter(
                filter: filter, times: filter.times(in: scope.zone), values: DimensionValues(filter.dimension),
                alternatives: filter.alternatives.map { ByteText($0) })
        }
        downloadNumber = sources.number(of: ByteText("download"))
        offsets = scope.dimensions.contains(.hour) ? scope.zone.stretches(in: span) : []
        isByContext = (scope.dimensions + scope.filters.map(\.dimension)).allSatisfy {
            [.cdnRegion, .cdn, .network, .source].contains($0)
        }
    }

    /// The columns that it looks at.
    var columns: PlayColumns.Selection {
        var columns: PlayColumns.Selection = [.context]
        for dimension in scope.dimensions + scope.filters.map(\.dimension) {
            switch dimension {
            case .cdnRegion, .cdn, .network, .source: break
            case .appVersion, .osVersion, .deviceModel, .player: columns.insert(.device)
            case .videoId: columns.insert(.video)
            case .errorCode: columns.insert(.error)
            case .endedBy: columns.insert(.flags)
            case .tag: columns.insert(.tags)
            case .day, .hour: columns.insert(.endedMs)
            }
        }
        return columns
    }

    /// How many groups there are so far.
    var groups: Int { scope.dimensions.isEmpty ? 1 : keys.count }

    /// The group of a play, from 0, or ``outside`` or ``download``.
    @inline(__always)
    mutating func group(of index: Int, in plays: borrowing PlayColumns) throws -> Int32 {
        guard isByContext else { return try placed(index, plays) }
        let context = Int(plays.context[index])
        if context < byContext.count, byContext[context] != .min { return byContext[context] }
        let group = try placed(index, plays)
        guard context < PlayDictionaries.mostKept else { return group }
        while byContext.count <= context { byContext.append(.min) }
        byContext[context] = group
        return group
    }

    private mutating func placed(_ index: Int, _ plays: borrowing PlayColumns) throws -> Int32 {
        for number in filters.indices {
            guard try holds(number, index, plays) else { return Self.outside }
        }
        if try isDownload(plays.context[index]) { return Self.download }
        return try groupNumber(index, plays)
    }

    /// Whether no CDN served it, where the scope leaves such plays out.
    mutating func isDownload(_ context: Int32) throws -> Bool {
        try scope.leavesOutDownloads && sources.number(of: context, dictionaries) == downloadNumber
    }

    /// Whether every filter chooses a play.
    mutating func isChosen(_ index: Int, _ plays: borrowing PlayColumns) throws -> Bool {
        for number in filters.indices {
            guard try holds(number, index, plays) else { return false }
        }
        return true
    }

    private mutating func holds(_ number: Int, _ index: Int, _ plays: borrowing PlayColumns) throws -> Bool {
        let filter = filters[number].filter
        let isEqual: Bool
        if filter.isAboutTime {
            let endedAt = Self.endedAt(index, plays)
            isEqual = filters[number].times.contains { $0.contains(endedAt) }
        } else {
            let value = try filters[number].values.number(
                of: Self.entry(filter.dimension, index, plays), dictionaries)
            isEqual = filters[number].alternatives.contains(filters[number].values.values[Int(value)])
        }
        return isEqual != filter.isNegated
    }

    /// The group of a play that is in the scope.
    mutating func groupNumber(_ index: Int, _ plays: borrowing PlayColumns) throws -> Int32 {
        var number: Int32 = 0
        for position in values.indices {
            let value = try value(position, index, plays)
            let pair = UInt64(UInt32(bitPattern: number)) << 32 | UInt64(UInt32(bitPattern: value))
            let isLast = position == values.count - 1
            // Steps on the way and groups at the end have numbers of their own.
            let key = pair ^ (UInt64(position) << 62)
            if let known = pairs[key] {
                number = known
                continue
            }
            if isLast {
                guard keys.count < scope.mostGroups else { throw ReportLimitError.groups(most: scope.mostGroups) }
                number = Int32(keys.count)
                keys.append(try values.indices.map { try self.value($0, index, plays) })
            } else {
                number = steps
                steps += 1
            }
            pairs[key] = number
        }
        return number
    }

    private mutating func value(_ position: Int, _ index: Int, _ plays: borrowing PlayColumns) throws -> Int32 {
        let dimension = values[position].dimension
        if dimension == .hour {
            let instant = Self.endedAt(index, plays)
            let offset = offsets.first { instant < $0.end }?.offset ?? 0
            return values[position].number(of: ByteText(String(LocalHour(of: instant, offset: offset).code)))
        }
        return try values[position].number(of: Self.entry(dimension, index, plays), dictionaries)
    }

    /// ms since 1970.
    @inline(__always)
    static func endedAt(_ index: Int, _ plays: borrowing PlayColumns) -> Int64 {
        plays.hour * 3_600_000 + Int64(plays.endedMs[index])
    }

    private static func entry(_ dimension: PlayDimension, _ index: Int, _ plays: borrowing PlayColumns) -> Int32 {
        switch dimension {
        case .cdnRegion, .cdn, .network, .source: plays.context[index]
        case .appVersion, .osVersion, .deviceModel, .player: plays.device[index]
        case .videoId: plays.video[index]
        case .errorCode: plays.error[index]
        case .endedBy: Int32(plays.flags[index] >> PlayColumns.endingShift & 3)
        case .tag: plays.tags[index]
        case .day, .hour: 0
        }
    }

    /// The key of a group.
    func key(of group: Int) -> GroupKey {
        if scope.dimensions.isEmpty { return GroupKey([]) }
        return GroupKey(zip(values, keys[group]).map { table, number in table.values[Int(number)] })
    }
}
