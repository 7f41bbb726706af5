/// A table for people: what it is about, its rows, and what must be known to read it.
struct HumanTable: Sendable {
    enum Tone: Sendable { case plain, strong, good, bad }

    struct Column: Sendable {
        var heading: String
        /// Names stand to the left, numbers to the right.
        var isName = false
        /// A name that is never cut.
        var isWhole = false
    }

    struct Cell: Sendable {
        var text: HumanNumber.Text
        var tone = Tone.plain
        /// Where it leads on a page; nil: nowhere.
        var link: String?

        init(_ text: HumanNumber.Text, tone: Tone = .plain) {
            self.text = text
            self.tone = tone
        }

        init(_ text: String, tone: Tone = .plain) {
            self.init(HumanNumber.Text(value: text.visible), tone: tone)
        }
    }

    /// `Startup`, `Failures`.
    var title: String
    /// The day or the range; empty where the title says all.
    var period: String
    var columns: [Column]
    var rows: [[Cell]] = []
    /// Where a page has the table as a file; nil: nowhere.
    var file: String?
}

extension HumanTable {
    /// Adds the row of a group.
    mutating func add(_ names: GroupNames, _ texts: [HumanNumber.Text], isAll: Bool) {
        let tone = isAll ? Tone.strong : .plain
        rows.append(names.map { Cell($0, tone: tone) } + texts.map { Cell($0, tone: tone) })
    }

    /// With the numbers of each column in one unit.
    func aligned() -> HumanTable {
        var table = self
        for column in columns.indices where !columns[column].isName {
            let texts = HumanNumber.aligned(rows.map { $0[column].text })
            for (row, text) in texts.enumerated() { table.rows[row][column].text = text }
        }
        return table
    }
}

/// The tables of one metric, a table a period, with what must be known to read them.
struct HumanSection: Sendable {
    var title: String
    var tables: [HumanTable]
    var notes: [String]
    /// What stands there in the place of tables.
    var absence: String

    init(title: String, tables: [HumanTable], notes: [String], absence: String = "No plays.") {
        self.title = title
        self.tables = tables.map { $0.aligned() }
        self.notes = notes
        self.absence = absence
    }
}

extension HumanTable {
    /// So many rows stand there before the rest is folded away.
    private static let mostShown = 10
    /// With more columns than this a table is a list on the screen of a tablet, too.
    private static let mostNarrow = 7
    /// And with more, where each is a group with its interval, on every screen.
    private static let mostGroups = 9

    /// What stands there only when somebody asks for it.
    enum Fold: Sendable {
        case nothing
        /// The rows after ``mostShown``.
        case rest
        /// All of it, under pictures that show the same.
        case whole
    }

    /// The table with its caption. On a narrow screen each row is a list, so that no column is cut; where that does not help,
    /// as with long words, the table scrolls under its first column.
    ///
    /// - Parameter fold: what is folded away.
    func html(_ fold: Fold = .rest) -> HTML {
        let caption = period.isEmpty ? title : "\(title), \(PeriodWords.words(period))"
        let head = columns.map { column -> HTML in
            column.isName
                ? "<th scope=\"col\" class=\"name\">\(column.heading)</th>" : "<th scope=\"col\">\(column.heading)</th>"
        }
        let shown = fold == .rest ? shownRows : Set(rows.indices)
        let body = rows.enumerated().map { number, row in Self.row(row, columns, isRest: !shown.contains(number)) }
        let link: HTML = file.map { " <a class=\"file\" href=\"\($0)\">CSV</a>" } ?? .nothing
        let more: HTML =
            fold == .whole
            ? "<label class=\"more aside\"><input type=\"checkbox\" /> the numbers as a table</label>\n"
            : shown.count < rows.count
                ? "<label class=\"more\"><input type=\"checkbox\" /> all \(HumanNumber.count(rows.count).value) rows</label>\n"
                : .nothing
        let isLong = fold == .whole && columns.count > Self.mostGroups
        let kind: HTML = isLong ? "scroll long" : columns.count > Self.mostNarrow ? "scroll wide" : "scroll"
        return """
            <div class="fold">
            \(more)\
            <div class="\(kind)" role="region" tabindex="0" aria-label="\(caption)">
            <table><caption>\(caption)\(link)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)</tbody></table></div>
            </div>

            """
    }

    /// The first rows with that of all plays; of a table with several rows of all plays the first of these alone.
    private var shownRows: Set<Int> {
        let ofAll = rows.indices.filter { rows[$0].first?.tone == .strong }
        let named = rows.indices.filter { rows[$0].first?.tone != .strong }
        if named.count <= Self.mostShown, ofAll.count <= 1 || rows.count <= Self.mostShown { return Set(rows.indices) }
        return ofAll.count > 1
            ? Set(ofAll.prefix(Self.mostShown)) : Set(named.prefix(Self.mostShown) + ofAll)
    }

    private static func row(_ row: [Cell], _ columns: [Column], isRest: Bool) -> HTML {
        let cells = zip(columns, row).enumerated().map { index, pair -> HTML in
            let (column, cell) = pair
            if index == 0, column.isName { return "<th scope=\"row\">\(cell.html)</th>" }
            let kinds = [column.isName ? "name" : nil, cell.tone.kind].compactMap { $0 }.joined(separator: " ")
            let attributes: HTML = kinds.isEmpty ? .nothing : " class=\"\(kinds)\""
            return "<td\(attributes) data-label=\"\(column.heading)\">\(cell.html)</td>"
        }
        let kinds = [row.first?.tone == .strong ? "all" : nil, isRest ? "rest" : nil].compactMap { $0 }
        let attributes: HTML = kinds.isEmpty ? .nothing : " class=\"\(kinds.joined(separator: " "))\""
        return "<tr\(attributes)>\(cells)</tr>\n"
    }
}

extension HumanTable.Cell {
    /// The value, and what is known of it beside or below, which is not broken.
    fileprivate var html: HTML {
        let value = HTML(keepingUnits: text.value)
        let spread: HTML =
            text.spread.isEmpty
            ? .nothing : " <span class=\"spread\">\(text.spread.drop { $0 == " " }.description)</span>"
        guard let link else { return "\(value)\(spread)" }
        return "<a href=\"\(link)\">\(value)</a>\(spread)"
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
