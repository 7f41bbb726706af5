/// A report as Markdown; whatever shows it breaks its lines, so nothing is cut.
package enum MarkdownRenderer {
    package static func render(_ document: ReportDocument) -> String {
        let first = document.opening.map {
            escaped($0).wrapped(to: TextTableRenderer.width).joined(separator: "\n") + "\n"
        }
        let sections = document.sections.map { section in
            let tables = section.tables.map { "### \($0.period)\n\n" + render($0) }
            let body = tables.isEmpty ? [section.absence + "\n"] : tables
            let notes =
                tables.isEmpty
                ? [] : section.notes.map { $0.wrapped(to: TextTableRenderer.width).joined(separator: "\n") + "\n" }
            let title = document.title.wrapped(to: TextTableRenderer.width).map { escaped($0) + "\n" }.joined()
            return (["## \(section.title)\n", title] + body + notes).joined(separator: "\n")
        }
        return (first + sections).joined(separator: "\n")
    }

    private static func render(_ table: HumanTable) -> String {
        let frame = TextTable.Frame(width: .max, gap: 3, edges: 4)
        return TextTable.pieces(table, frame, escape: escaped).map { piece in
            func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
            let rule = piece.columns.indices.map { column -> String in
                let dashes = String(repeating: "-", count: max(3, piece.widths[column]) - 1)
                return piece.columns[column].isName ? dashes + "-" : dashes + ":"
            }
            var text = ""
            for row in piece.cells.indices {
                text += line(piece.columns.indices.map { piece.padded(row, $0) })
                if row == 0 { text += line(rule) }
            }
            return text
        }.joined(separator: "\n")
    }

    /// What Markdown would take for its own.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if "\\|*_`<>[]#~&".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }
}
