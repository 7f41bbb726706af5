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
