extension TextTableRenderer {
    /// Any table of a report as people read it, a block a period; the ends of intervals are left to the other formats.
    package static func render(_ table: ReportTable) -> String {
        let shown = table.columns.indices.filter { index in
            let column = table.columns[index]
            return column.kind != .period && column.kind != .version && !column.isIntervalEnd
        }
        var blocks: [(period: String, table: TextTable)] = []
        for row in table.rows {
            let period = row[0].asPeopleRead(.period)
            if blocks.last?.period != period {
                let header = shown.map { table.columns[$0].heading }
                let alignments = shown.map { index in
                    [.name, .text].contains(table.columns[index].kind) ? TextTable.Alignment.left : .right
                }
                blocks.append((period, TextTable(header: header, alignments: alignments)))
            }
            blocks[blocks.count - 1].table.rows.append(
                shown.map { row[$0].asPeopleRead(table.columns[$0].kind) })
        }
        return blocks.map { ([$0.period] + $0.table.lines()).joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }
}

extension ReportColumn {
    fileprivate var isIntervalEnd: Bool { name.contains("_low_") || name.contains("_high_") }

    /// The name without its unit, which stands with every number.
    fileprivate var heading: String {
        var words = name.split(separator: "_")
        if ["ms", "ratio", "bytes", "bps"].contains(words.last), words.count > 1 { words.removeLast() }
        return words.joined(separator: " ")
    }
}

extension ReportCell {
    fileprivate func asPeopleRead(_ kind: ColumnKind) -> String {
        switch self {
        case .empty: return HumanNumber.none
        case .text(let text): return text
        case .decimal(let value): return kind == .ratio ? HumanNumber.percent(value) : HumanNumber.significant(value)
        case .integer(let value):
            switch kind {
            case .milliseconds: return HumanNumber.milliseconds(Int64(clamping: value))
            case .bytes: return HumanNumber.bytes(value)
            default: return HumanNumber.count(value)
            }
        }
    }
}
