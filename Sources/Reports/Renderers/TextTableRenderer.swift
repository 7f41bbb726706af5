/// The first screen of a report: what was asked for, by group, as people read it.
package enum TextTableRenderer {
    package static func render(_ report: PlayReport) -> String {
        report.periods.map { period in
            var table = TextTable(
                header: report.request.dimensions.map(\.name) + [
                    "plays", "startup p50", "p95", "rebuffer", "failures", "data/session",
                ],
                alignments: report.request.dimensions.map { _ in .left } + Array(repeating: .right, count: 6))
            for group in period.groups + [period.all] {
                table.rows.append(
                    group.names + [
                        HumanNumber.count(group.totals.plays), HumanNumber.milliseconds(group.startupP50.value),
                        HumanNumber.milliseconds(group.startupP95.value), HumanNumber.percent(group.rebuffering.value),
                        HumanNumber.percent(group.failed.value), HumanNumber.bytes(group.dataPerSessionMean),
                    ])
            }
            return ([period.name] + table.lines()).joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }
}
