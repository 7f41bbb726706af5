/// A report for a terminal, at most 100 columns wide.
package enum TextTableRenderer {
    static let width = 100

    /// - Parameter usesColour: bold, red and green by the terminal's escape sequences; no word depends on them.
    package static func render(_ document: ReportDocument, usesColour: Bool = false) -> String {
        let first = document.opening.map { $0.wrapped(to: width).joined(separator: "\n") + "\n" }
        let sections = document.sections.map { section in
            let tables = section.tables.map { render($0, usesColour: usesColour) }
            let body = tables.isEmpty ? ["No plays.\n"] : tables
            let notes = section.notes.flatMap { $0.wrapped(to: width) }.map { $0 + "\n" }.joined()
            return ([section.title + "\n"] + body + (notes.isEmpty || tables.isEmpty ? [] : [notes])).joined(
                separator: "\n")
        }
        return ((first.isEmpty ? [] : [first.joined(separator: "\n")]) + sections).joined(separator: "\n\n")
    }

    private static func render(_ table: HumanTable, usesColour: Bool) -> String {
        TextTable.pieces(table, .init(width: width, gap: 2)).map { piece in
            var text = table.period + "\n"
            for row in piece.cells.indices {
                var line = ""
                for column in piece.columns.indices {
                    if column > 0 { line += "  " }
                    line += coloured(piece.padded(row, column), usesColour ? piece.tones[row][column] : .plain)
                }
                while line.last == " " { line.removeLast() }
                text += line + "\n"
            }
            return text
        }.joined(separator: "\n")
    }

    private static func coloured(_ text: String, _ tone: HumanTable.Tone) -> String {
        let code: String
        switch tone {
        case .plain: return text
        case .strong: code = "1"
        case .good: code = "32"
        case .bad: code = "31"
        }
        // Spaces stay outside, where a line's end can be cut.
        let words = text.trimmed
        guard !words.isEmpty else { return text }
        let front = text.prefix { $0 == " " }
        let back = text.dropFirst(front.count + words.count)
        return front + "\u{1b}[\(code)m" + words + "\u{1b}[0m" + back
    }
}

extension String {
    /// The lines of a sentence, broken between words.
    func wrapped(to width: Int) -> [String] {
        var lines = [""]
        for word in split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.displayWidth + 1 + String(word).displayWidth <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
