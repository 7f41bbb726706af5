/// A report for a terminal.
package enum TextTableRenderer {
    /// Sentences are broken there.
    static let width = 100

    /// - Parameters:
    ///   - tableWidth: places of a line: names are cut in their middle and tables split so that they fit. Nil: nothing is cut,
    ///     as whatever reads a pipe wants it.
    ///   - usesColour: bold, red and green by the terminal's escape sequences; no word depends on them.
    package static func render(
        _ document: ReportDocument, tableWidth: Int? = nil, usesColour: Bool = false
    ) -> String {
        let first = document.opening.map { $0.wrapped(to: width).joined(separator: "\n") + "\n" }
        let sections = document.sections.map { section in
            let tables = section.tables.map {
                lines($0, under: $0.period + "\n", width: tableWidth, usesColour: usesColour)
            }
            let body = tables.isEmpty ? [section.absence + "\n"] : tables
            let notes = section.notes.flatMap { $0.wrapped(to: width) }.map { $0 + "\n" }.joined()
            let title = document.title.wrapped(to: width).map { $0 + "\n" }.joined()
            return ([section.title + "\n" + title] + body + (notes.isEmpty || tables.isEmpty ? [] : [notes])).joined(
                separator: "\n")
        }
        return ((first.isEmpty ? [] : [first.joined(separator: "\n")]) + sections).joined(separator: "\n\n")
    }

    /// A table, or several where it is too wide.
    ///
    /// - Parameters:
    ///   - head: what stands before each.
    ///   - width: places of a line; nil for as many as it takes.
    static func lines(_ table: HumanTable, under head: String = "", width: Int? = nil, usesColour: Bool) -> String {
        TextTable.pieces(table, .init(width: width ?? .max, gap: 2)).map { piece in
            var text = head
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
