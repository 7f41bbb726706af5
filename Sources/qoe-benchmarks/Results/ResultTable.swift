internal import Foundation

/// What was measured: a row for each figure, with the goal that it is held against.
struct ResultTable {
    struct Row {
        var what: String
        var figure: String
        var goal = ""
        /// Nil where there is no goal, or the machine can't tell.
        var isMet: Bool?
    }

    private(set) var rows: [Row] = []

    mutating func add(_ what: String, _ figure: String) {
        rows.append(Row(what: what, figure: figure))
    }

    /// A figure that should not exceed a limit.
    mutating func add(_ what: String, _ figure: String, _ value: Double, atMost limit: Double, _ goal: String) {
        rows.append(Row(what: what, figure: figure, goal: goal, isMet: value <= limit))
    }

    /// A figure that should reach a limit.
    mutating func add(_ what: String, _ figure: String, _ value: Double, atLeast limit: Double, _ goal: String) {
        rows.append(Row(what: what, figure: figure, goal: goal, isMet: value >= limit))
    }

    mutating func add(_ other: ResultTable) {
        rows += other.rows
    }

    /// The rows as a Markdown table.
    var markdown: String {
        let cells =
            [["what", "measured", "goal", ""], ["---", "---", "---", "---"]]
            + rows.map { row in
                [row.what, row.figure, row.goal, row.isMet.map { $0 ? "met" : "missed" } ?? ""]
            }
        let widths = (0..<4).map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { line in
            "| "
                + zip(line, widths).map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
                .joined(separator: " | ") + " |"
        }.joined(separator: "\n")
    }
}

/// A Markdown table of numbers.
func numbersTable(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---:" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
}

/// A number with three significant digits, and thousands set apart.
func figure(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let magnitude = abs(value)
    if magnitude < 100 { return String(format: magnitude < 10 ? "%.2f" : "%.1f", value) }
    let digits = String(Int(value.rounded()))
    return String(
        digits.reversed().enumerated().flatMap { $0 > 0 && $0 % 3 == 0 ? [",", $1] : [$1] }.reversed())
}
