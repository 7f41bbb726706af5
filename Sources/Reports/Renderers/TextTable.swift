/// Lays rows of text out in columns: names to the left, numbers to the right.
struct TextTable {
    enum Alignment { case left, right }

    var header: [String]
    var alignments: [Alignment]
    var rows: [[String]] = []

    /// The lines, two spaces between columns, without space at their ends.
    func lines() -> [String] {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].displayWidth }.max() ?? 0 }
        return all.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.displayWidth)
                line += (column == 0 ? "" : "  ") + (alignments[column] == .left ? cell + space : space + cell)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

extension String {
    /// How many places of a terminal the text takes, one for each character.
    var displayWidth: Int { count }
}
