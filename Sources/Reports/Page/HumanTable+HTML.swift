extension HumanTable {
    /// The table with its caption, in a frame of its own that scrolls where the screen is narrow.
    func html() -> HTML {
        let caption = "\(title), \(period)"
        let head = columns.map { column -> HTML in
            column.isName
                ? "<th scope=\"col\" class=\"name\">\(column.heading)</th>" : "<th scope=\"col\">\(column.heading)</th>"
        }
        let body = rows.enumerated().map { number, row -> HTML in
            let link = links.indices.contains(number) ? links[number] : nil
            let isAll = row.first?.tone == .strong
            let cells = zip(columns, row).enumerated().map { index, pair -> HTML in
                let (column, cell) = pair
                let text = cell.text.value + cell.text.spread
                if index == 0, column.isName {
                    guard let link else { return "<th scope=\"row\">\(text)</th>" }
                    return "<th scope=\"row\"><a href=\"\(link)\">\(text)</a></th>"
                }
                let kinds = [column.isName ? "name" : nil, cell.tone.kind].compactMap { $0 }.joined(separator: " ")
                return kinds.isEmpty ? "<td>\(text)</td>" : "<td class=\"\(kinds)\">\(text)</td>"
            }
            return isAll ? "<tr class=\"all\">\(cells)</tr>\n" : "<tr>\(cells)</tr>\n"
        }
        return """
            <div class="scroll" role="region" tabindex="0" aria-label="\(caption)">
            <table><caption>\(caption)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)</tbody></table></div>

            """
    }
}

extension HumanTable.Tone {
    /// The class of a cell; the words in it say the same.
    fileprivate var kind: String? {
        switch self {
        case .plain, .strong: nil
        case .good: "good"
        case .bad: "bad"
        }
    }
}
