internal import Reports

/// Sums of groups and of their other sides by strata: plain ones, and pairs weighted by the strata's rates.
struct StrataTally {
    private let question: SumsQuestion
    private var walk: SessionWalk
    private let periods: Int
    private let dimensions: Int

    /// The numbers of groups and strata, and for each cell's group what it consists of.
    private struct Index {
        var groups: [GroupKey] = []
        var strata: [GroupKey] = []
        var parts: [(group: Int, stratum: Int)] = []
        private var groupNumbers: [GroupKey: Int] = [:]
        private var strataNumbers: [GroupKey: Int] = [:]

        init(_ placer: PlayPlacer, dimensions: Int) {
            for number in 0..<placer.groups {
                let key = placer.key(of: number)
                let group = Self.number(GroupKey(Array(key.values.prefix(dimensions))), &groups, &groupNumbers)
                let stratum = Self.number(GroupKey(Array(key.values.dropFirst(dimensions))), &strata, &strataNumbers)
                parts.append((group, stratum))
            }
        }

        private static func number(_ key: GroupKey, _ keys: inout [GroupKey], _ numbers: inout [GroupKey: Int]) -> Int {
            if let known = numbers[key] { return known }
            numbers[key] = keys.count
            keys.append(key)
            return keys.count - 1
        }
    }

    /// What a session has in a group and stratum of one period.
    private struct Part {
        var group: Int
        var stratum: Int
        var sums: SessionSums
    }

    /// - Parameter walk: over a scope whose dimensions are those of the question, then the strata's.
    init(_ question: SumsQuestion, _ walk: SessionWalk) {
        self.question = question
        self.walk = walk
        periods = question.periods.count
        dimensions = question.scope.dimensions.count
    }

    /// Visits what each session has in each period.
    ///
    /// - Parameter prepare: is told the groups and strata before the first.
    private mutating func forEachSession(_ prepare: (Index) -> Void = { _ in }, _ visit: ([[Part]]) -> Void) throws
        -> Index
    {
        _ = try walk.lookBack()
        let index = Index(walk.placer, dimensions: dimensions)
        prepare(index)
        let empty = Array(repeating: [Part](), count: periods)
        let slices = walk.slices
        try walk.lookForward(thresholds: []) { cells, head, _ in
            var parts = empty
            var number = head
            while number >= 0 {
                let cell = cells.cells[Int(number)]
                number = cell.next
                let (group, stratum) = index.parts[Int(cell.group)]
                for period in slices.periods[Int(cell.slice)] {
                    if let known = parts[period].firstIndex(where: { $0.group == group && $0.stratum == stratum }) {
                        parts[period][known].sums += cell.sums
                    } else {
                        parts[period].append(Part(group: group, stratum: stratum, sums: cell.sums))
                    }
                }
            }
            visit(parts)
        }
        return index
    }

    // MARK: Plain

    private struct Place: Hashable {
        var period: Int
        /// -1 for all groups.
        var group: Int
        var stratum: Int
    }

    /// - Throws: what the store says.
    mutating func strata() throws -> [[GroupKey: [StratumSums]]] {
        var sums: [Place: ByMeasure<StratumSums.Part>] = [:]
        /// Sessions that have a base in the stratum in this group alone.
        var alone: [Place: ByMeasure<Int64>] = [:]
        func add(_ pair: (x: Int64, y: Int64), _ measure: Measure, _ position: Place, isNew: Bool) {
            sums[position, default: ByMeasure { _ in .init() }][measure].add(pair, isNew: isNew)
        }
        let index = try forEachSession { periods in
            for (period, parts) in periods.enumerated() {
                for measure in Measure.compared {
                    for (number, part) in parts.enumerated() {
                        guard let pair = part.sums.pair(measure), pair.x > 0 || pair.y > 0 else { continue }
                        let position = Place(period: period, group: part.group, stratum: part.stratum)
                        add(pair, measure, position, isNew: pair.x > 0)
                        let others = parts.enumerated().filter { other, one in
                            other != number && one.stratum == part.stratum && one.sums.pair(measure)?.x ?? 0 > 0
                        }
                        let isFirst = others.allSatisfy { $0.offset > number }
                        add(
                            pair, measure, Place(period: period, group: -1, stratum: part.stratum),
                            isNew: pair.x > 0 && isFirst)
                        if pair.x > 0, others.isEmpty { alone[position, default: ByMeasure { _ in 0 }][measure] += 1 }
                    }
                }
            }
        }
        var answer = Array(repeating: [GroupKey: [StratumSums]](), count: periods)
        for (position, own) in sums where position.group >= 0 {
            var stratum = StratumSums(index.strata[position.stratum])
            stratum.own = own
            let all = sums[Place(period: position.period, group: -1, stratum: position.stratum)]
            let previous = previous(of: position.period).flatMap {
                sums[Place(period: $0, group: position.group, stratum: position.stratum)]
            }
            stratum.other = ByMeasure { measure in
                guard question.otherSide == .rest else { return previous?[measure] ?? .init() }
                var rest = all?[measure] ?? .init()
                rest.base -= own[measure].base
                rest.events -= own[measure].events
                rest.sessions -= alone[position]?[measure] ?? 0
                return rest
            }
            answer[position.period][index.groups[position.group], default: []].append(stratum)
        }
        return answer
    }

    private func previous(of period: Int) -> Int? {
        if case .periods(let others) = question.otherSide { return others[period] }
        return nil
    }

    // MARK: Weighted

    /// - Throws: what the store says.
    mutating func adjusted(_ weights: [[GroupKey: [GroupKey: ByMeasure<StratumWeights?>]]]) throws
        -> [[GroupKey: ByMeasure<AdjustedSums>]]
    {
        var tables: [[(group: Int, strata: [ByMeasure<StratumWeights?>?])]] = []
        var sums = Array(repeating: [Int: ByMeasure<AdjustedSums>](), count: periods)
        let isRest = question.otherSide == .rest
        let (periods, others) = (periods, (0..<periods).map { previous(of: $0) })
        let index = try forEachSession { index in
            tables = Self.tables(weights, index, periods)
        } _: { parts in
            for period in 0..<periods {
                let others = others[period].map { parts[$0] } ?? []
                guard !parts[period].isEmpty || !others.isEmpty else { continue }
                for (group, strata) in tables[period] {
                    let own = parts[period].filter { $0.group == group }
                    let other =
                        isRest ? parts[period].filter { $0.group != group } : others.filter { $0.group == group }
                    guard !own.isEmpty || !other.isEmpty else { continue }
                    for measure in Measure.compared {
                        sums[period][group, default: ByMeasure { _ in AdjustedSums() }][measure].add(
                            Self.pair(own, measure, strata, isOther: false),
                            Self.pair(other, measure, strata, isOther: true))
                    }
                }
            }
        }
        return sums.map { groups in
            Dictionary(uniqueKeysWithValues: groups.map { (index.groups[$0.key], $0.value) })
        }
    }

    private static func tables(
        _ weights: [[GroupKey: [GroupKey: ByMeasure<StratumWeights?>]]], _ index: Index, _ periods: Int
    ) -> [[(group: Int, strata: [ByMeasure<StratumWeights?>?])]] {
        (0..<periods).map { period in
            index.groups.enumerated().compactMap { number, key in
                guard period < weights.count, let strata = weights[period][key] else { return nil }
                return (number, index.strata.map { strata[$0] })
            }
        }
    }

    /// The weighted pair of one side of a session, and the plain one over the same strata.
    private static func pair(
        _ parts: [Part], _ measure: Measure, _ strata: [ByMeasure<StratumWeights?>?], isOther: Bool
    ) -> AdjustedSums.Pair {
        var pair = AdjustedSums.Pair()
        for part in parts {
            guard let weights = strata[part.stratum]?[measure], let plain = part.sums.pair(measure) else { continue }
            let events = weights.isComplement ? plain.x - plain.y : plain.y
            let factor = isOther ? weights.other : 1
            pair.x += factor * weights.own * Double(plain.x)
            pair.y += factor * Double(events)
            pair.plain.x += plain.x
            pair.plain.y += events
        }
        return pair
    }
}
