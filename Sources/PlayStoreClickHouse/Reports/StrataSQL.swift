internal import ClickHouse
internal import PlayStore
internal import Reports

/// The queries about strata for one period.
struct StrataSQL {
    /// With the strata's dimensions.
    let plays: ScopedPlays

    private var groups: [String] { plays.groupNames }
    private var strata: [String] { plays.stratumNames }

    /// Rows: a session in a group and stratum, x and y of each measure.
    private func pairs() -> String {
        let columns = Measure.compared.flatMap { measure -> [String] in
            let (condition, x, y) = SumsSQL.pair(measure)
            return [
                "toInt64(if(\(condition), \(x), 0)) AS x\(measure.rawValue)",
                "toInt64(if(\(condition), \(y), 0)) AS y\(measure.rawValue)",
            ]
        }
        return """
            SELECT \((groups + strata + ["s"] + columns).joined(separator: ", "))
            FROM (
            \(SumsSQL(plays: plays, isGrouped: true).sessions())
            )
            """
    }

    /// Rows: a group and stratum; for each measure its base, its events, its sessions, and those of them that have a base in
    /// the stratum in this group alone.
    var plain: String {
        var columns = SumColumns()
        for measure in Measure.compared {
            let (x, y) = ("x\(measure.rawValue)", "y\(measure.rawValue)")
            columns.addSum(x)
            columns.addSum(y)
            columns.add("countIf(\(x) > 0)")
            columns.add("countIf(\(x) > 0 AND all_\(x) = \(x))")
        }
        let names = Measure.compared.flatMap { ["x\($0.rawValue)", "y\($0.rawValue)"] }
        let keys = (groups + strata).joined(separator: ", ")
        let arrays = (groups + names).map { "groupArray(\($0)) AS list_\($0)" }
        let sums = Measure.compared.map { "sum(x\($0.rawValue)) AS all_x\($0.rawValue)" }
        return """
            SELECT \(keys), \(columns.expressions.joined(separator: ", "))
            FROM (
            SELECT \((strata + ["s"] + arrays + sums).joined(separator: ", "))
            FROM (
            \(pairs())
            )
            GROUP BY \((strata + ["s"]).joined(separator: ", "))
            )
            ARRAY JOIN \((groups + names).map { "list_\($0) AS \($0)" }.joined(separator: ", "))
            GROUP BY \(keys)
            """
    }

    /// Rows: a stratum; for each measure how many sessions have a base in it in any group.
    var sessionsOfStrata: String {
        let counts = Measure.compared.map { "countIf(all_x\($0.rawValue) > 0)" }
        let sums = Measure.compared.map { "sum(x\($0.rawValue)) AS all_x\($0.rawValue)" }
        return """
            SELECT \((strata + counts).joined(separator: ", "))
            FROM (
            SELECT \((strata + ["s"] + sums).joined(separator: ", "))
            FROM (
            \(pairs())
            )
            GROUP BY \((strata + ["s"]).joined(separator: ", "))
            )
            GROUP BY \(strata.joined(separator: ", "))
            """
    }

    struct PlainRow {
        var own = ByMeasure { _ in StratumSums.Part() }
        var alone = ByMeasure { _ in Int64(0) }
    }

    static func readPlain(_ row: inout RowReader) -> PlainRow {
        var plain = PlainRow()
        for measure in Measure.compared {
            (plain.own[measure].base, plain.own[measure].events) = (row.sum(), row.sum())
            plain.own[measure].sessions = row.integer()
            plain.alone[measure] = row.integer()
        }
        return plain
    }

    static func readSessions(_ row: inout RowReader) -> ByMeasure<Int64> {
        var sessions = ByMeasure { _ in Int64(0) }
        for measure in Measure.compared { sessions[measure] = row.integer() }
        return sessions
    }

    // MARK: Weighted

    /// One row: the weighted sums of one group and its other side.
    ///
    /// - Parameters:
    ///   - group: whose plays are the own side.
    ///   - other: the plays of the other side in another period; nil: those of the other groups.
    func adjusted(_ group: GroupKey, _ weights: [GroupKey: ByMeasure<StratumWeights?>], other: StrataSQL?) -> String {
        let isOwn = zip(groups, group.values).map { "\($0) = \(SQLText.literal($1.description))" }
            .joined(separator: " AND ")
        var columns: [String] = []
        var sums: [String] = []
        var perSession: [String] = []
        for measure in Measure.compared {
            let number = measure.rawValue
            let isComplement = weights.values.compactMap { $0[measure] }.first?.isComplement ?? false
            let (own, share) = (literals(weights, measure) { $0.own }, literals(weights, measure) { $0.other })
            let y = isComplement ? "x\(number) - y\(number)" : "y\(number)"
            let isUsed = "\(own) >= 0"
            for (side, condition, factor) in [("o", "own = 1", "toFloat64(1)"), ("t", "own = 0", share)] {
                let used = "(\(condition) AND \(isUsed))"
                perSession += [
                    "sum(if(\(used), \(factor) * \(own) * toFloat64(x\(number)), toFloat64(0))) AS \(side)x\(number)",
                    "sum(if(\(used), \(factor) * toFloat64(\(y)), toFloat64(0))) AS \(side)y\(number)",
                    "sum(if(\(used), x\(number), toInt64(0))) AS \(side)p\(number)",
                    "sum(if(\(used), \(y), toInt64(0))) AS \(side)q\(number)",
                ]
                let (x, y) = ("\(side)x\(number)", "\(side)y\(number)")
                sums += [x, y, "\(x) * \(x)", "\(x) * \(y)", "\(y) * \(y)"].map { "sum(\($0))" }
                var plain = SumColumns()
                plain.addRatio("\(side)p\(number)", "\(side)q\(number)", where: "\(side)p\(number) > 0")
                sums += plain.expressions
            }
            for (one, two) in [("x", "x"), ("x", "y"), ("y", "x"), ("y", "y")] {
                sums.append("sum(o\(one)\(number) * t\(two)\(number))")
            }
            columns += ["x\(number)", "y\(number)"]
        }
        let key = "\(ScopedPlays.key(of: strata)) AS h"
        let selected = (["s", key] + columns).joined(separator: ", ")
        var source = "SELECT \(selected), toUInt8(\(isOwn)) AS own FROM (\n\(pairs())\n)"
        if let other {
            source =
                "SELECT \(selected), toUInt8(1) AS own FROM (\n\(pairs())\n) WHERE \(isOwn)\nUNION ALL\n"
                + "SELECT \(selected), toUInt8(0) AS own FROM (\n\(other.pairs())\n) WHERE \(isOwn)"
        }
        return """
            SELECT \(sums.joined(separator: ", "))
            FROM (
            SELECT s, \(perSession.joined(separator: ", "))
            FROM (
            \(source)
            )
            GROUP BY s
            )
            """
    }

    /// A stratum's weight by its key, -1 for one that is left out.
    private func literals(
        _ weights: [GroupKey: ByMeasure<StratumWeights?>], _ measure: Measure, _ weight: (StratumWeights) -> Double
    ) -> String {
        let used = weights.compactMap { key, weights in weights[measure].map { (key, "\(weight($0))") } }
        guard !used.isEmpty else { return "toFloat64(-1)" }
        return ScopedPlays.lookup("h", used, "toFloat64")
    }

    static func readAdjusted(_ row: inout RowReader) -> ByMeasure<AdjustedSums> {
        var sums = ByMeasure { _ in AdjustedSums() }
        func side() -> AdjustedSums.Side {
            var side = AdjustedSums.Side()
            (side.x, side.y) = (row.double(), row.double())
            (side.xx, side.xy, side.yy) = (row.double(), row.double(), row.double())
            side.plain = row.ratio()
            return side
        }
        for measure in Measure.compared {
            sums[measure].own = side()
            sums[measure].other = side()
            sums[measure].cross = (row.double(), row.double(), row.double(), row.double())
        }
        return sums
    }
}
