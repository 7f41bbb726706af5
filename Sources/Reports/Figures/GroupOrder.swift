internal import Suggestions

/// In which order a table has its groups, and how many of them.
struct GroupOrder {
    let request: ReportRequest

    /// A column that groups can be ordered by.
    ///
    /// - Throws: the nearest name that there is.
    static func column(_ name: String) throws(ReportRequestError) -> String {
        let names =
            columns.map(\.column.name) + DeliveryFigures.countNames + ["arrived_ratio"]
            + VolumeReport.columns.map(\.column.name)
        guard !names.contains(name) else { return name }
        let nearest = Spelling.nearest(to: name, among: names)
        throw ReportRequestError(
            "no column '\(name)' to order groups by: "
                + (nearest.map { "did you mean '\($0)'?" } ?? "a column of numbers such as failure_ratio"))
    }

    static var columns: [GroupColumn] { ReportMetric.allCases.flatMap { $0.groupColumns(percents: []) } }

    /// The groups that are shown, in their order; how many are left out.
    func shown(_ groups: [GroupFigures]) -> (groups: [GroupFigures], leftOut: Int) {
        var sorted = groups.sorted { precedes($0, $1) }
        let column = Self.columns.first { $0.column.name == request.sort }
        if let column { sorted = Self.sorted(sorted) { column.cell($0, request).size } }
        return cut(sorted.filter { !$0.isOther }, sorted.filter(\.isOther))
    }

    /// The same of senders' reports.
    func shown(_ groups: [DeliveryFigures]) -> [DeliveryFigures] {
        var sorted = groups.sorted { one, other in
            if one.sums.arrived != other.sums.arrived { return one.sums.arrived > other.sums.arrived }
            return one.names.key.values.lexicographicallyPrecedes(other.names.key.values)
        }
        if let sort = request.sort, let index = DeliveryFigures.countNames.firstIndex(of: sort) {
            sorted = Self.sorted(sorted) { Double($0.sums.counts[index]) }
        } else if request.sort == "arrived_ratio" {
            sorted = Self.sorted(sorted, by: \.arrivedRatio)
        }
        var named = sorted
        if named.count > request.mostNamed {
            var other = SenderSums(.one(.other(request.dimensions.count)))
            for figures in sorted[request.mostNamed...] { other += figures.sums }
            named = sorted.prefix(request.mostNamed) + [DeliveryFigures(names: request.namesOfOther, sums: other)]
        }
        return cut(named, []).groups
    }

    func cut<Group>(_ named: [Group], _ other: [Group]) -> (groups: [Group], leftOut: Int) {
        guard let limit = request.limit, named.count > limit else { return (named + other, 0) }
        return (Array(named.prefix(limit)), named.count - limit)
    }

    /// The largest first, what has no value last, of equal ones in the order in which they were.
    static func sorted<Group>(_ groups: [Group], by size: (Group) -> Double?) -> [Group] {
        let sizes = groups.map { size($0) ?? -.infinity }
        let positions = groups.indices.sorted { one, other in
            sizes[one] != sizes[other] ? sizes[one] > sizes[other] : one < other
        }
        return positions.map { groups[$0] }
    }

    /// As people read groups: hours in order of time and without gaps, where no column is asked to order them.
    func forPeople(_ groups: [GroupFigures]) -> [GroupFigures] {
        guard request.sort == nil, request.limit == nil, let position = request.dimensions.firstIndex(of: .hour) else {
            return groups
        }
        // Of one hour they stay in the order in which they are.
        return withoutGaps(groups).enumerated().sorted { one, other in
            let hours = (LocalHour(label: one.element.names[position]), LocalHour(label: other.element.names[position]))
            let (first, second) = (hours.0?.start ?? .max, hours.1?.start ?? .max)
            return first != second ? first < second : one.offset < other.offset
        }.map(\.element)
    }

    /// Most plays first, then by what they are called, as bytes.
    private func precedes(_ one: GroupFigures, _ other: GroupFigures) -> Bool {
        if one.totals[.plays] != other.totals[.plays] { return one.totals[.plays] > other.totals[.plays] }
        return one.names.key.values.lexicographicallyPrecedes(other.names.key.values)
    }

    /// Where hours alone are the groups, those between the first and the last that have no plays are rows too.
    private func withoutGaps(_ groups: [GroupFigures]) -> [GroupFigures] {
        guard request.dimensions == [.hour] else { return groups }
        let known = Set(groups.compactMap { LocalHour(label: $0.names[0]) })
        guard let first = known.map(\.start).min(), let last = known.map(\.start).max(),
            (last - first) / millisecondsPerHour <= Self.mostHours
        else { return groups }
        var (all, instant) = (groups, first)
        while instant < last {
            let hour = LocalHour(of: instant, offset: request.zone.offset(at: instant))
            if !known.contains(hour) { all.append(GroupFigures(GroupSums(key: GroupKey([])), names: [hour.label])) }
            instant += millisecondsPerHour
        }
        return all
    }

    /// So long a range of hours is filled up, a year's.
    private static let mostHours: Int64 = 24 * 366
}

extension ReportCell {
    /// As numbers are ordered; nil for texts and empty cells.
    var size: Double? {
        switch self {
        case .empty, .text: nil
        case .integer(let value): Double(value)
        case .decimal(let value): value
        }
    }
}
