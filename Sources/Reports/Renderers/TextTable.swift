/// Lays a table's rows out in columns: names to the left, numbers to the right.
///
/// Where a line is too narrow, names lose their middle; then the table is cut into several.
struct TextTable {
    private(set) var cells: [[String]]
    private(set) var widths: [Int]
    private(set) var columns: [HumanTable.Column]
    /// Of each cell; the heading is the first row.
    private(set) var tones: [[HumanTable.Tone]]

    /// Names keep at least so many places.
    private static let shortestName = 8

    /// How a table is laid out: places of a line, between two columns, and at both ends together.
    struct Frame {
        var width: Int
        var gap: Int
        var edges = 0

        func room(_ columns: Int) -> Int { width == .max ? .max : width - edges - gap * (columns - 1) }
    }

    /// The table as one, or cut into several with the same names where its numbers don't fit beside each other.
    ///
    /// - Parameter escape: how a text is written.
    static func pieces(_ table: HumanTable, _ frame: Frame, escape: (String) -> String = { $0 }) -> [TextTable] {
        let whole = TextTable(table, escape)
        if whole.shortest(Array(table.columns.indices)) <= frame.room(table.columns.count) {
            return [whole.fitted(frame)]
        }
        let names = table.columns.indices.filter { table.columns[$0].isName }
        var pieces: [[Int]] = []
        for number in table.columns.indices where !table.columns[number].isName {
            let grown = (pieces.last ?? names) + [number]
            if !pieces.isEmpty, whole.shortest(grown) <= frame.room(grown.count) {
                pieces[pieces.count - 1] = grown
            } else {
                pieces.append(names + [number])
            }
        }
        return pieces.map { whole.only($0).fitted(frame) }
    }

    private init(_ table: HumanTable, _ escape: (String) -> String) {
        columns = table.columns
        tones = [columns.map { _ in .strong }] + table.rows.map { $0.map(\.tone) }
        cells =
            [columns.map { escape($0.heading) }]
            + Self.padded(
                table.rows.map { row in
                    row.map { (escape($0.text.value), escape($0.text.spread)) }
                }, columns)
        widths = []
        let cells = cells
        widths = columns.indices.map { column in cells.map { $0[column].displayWidth }.max() ?? 0 }
    }

    /// The texts of numbers with their intervals, so that what is of one kind stands under each other.
    private static func padded(
        _ rows: [[(value: String, spread: String)]], _ columns: [HumanTable.Column]
    ) -> [[String]] {
        let spreads = columns.indices.map { column in rows.map { $0[column].spread.displayWidth }.max() ?? 0 }
        return rows.map { row in
            row.indices.map { column in
                let (value, spread) = row[column]
                guard !columns[column].isName else { return value + spread }
                return value + spread + String(repeating: " ", count: spreads[column] - spread.displayWidth)
            }
        }
    }

    /// The least width of some columns: names give way.
    private func shortest(_ columns: [Int]) -> Int {
        columns.reduce(0) { $0 + (self.columns[$1].mayBeCut ? min(widths[$1], Self.shortestName) : widths[$1]) }
    }

    private func only(_ columns: [Int]) -> TextTable {
        var piece = self
        piece.columns = columns.map { self.columns[$0] }
        piece.widths = columns.map { widths[$0] }
        piece.cells = cells.map { row in columns.map { row[$0] } }
        piece.tones = tones.map { row in columns.map { row[$0] } }
        return piece
    }

    /// Cuts the widest names until the table fits.
    private func fitted(_ frame: Frame) -> TextTable {
        var table = self
        let names = columns.indices.filter { columns[$0].mayBeCut }
        while table.widths.reduce(0, +) > frame.room(columns.count),
            let widest = names.max(by: { table.widths[$0] < table.widths[$1] }),
            table.widths[widest] > Self.shortestName
        {
            table.widths[widest] -= 1
        }
        for row in table.cells.indices {
            for column in names { table.cells[row][column] = cells[row][column].cut(to: table.widths[column]) }
        }
        return table
    }

    /// A cell with the space that its column needs.
    func padded(_ row: Int, _ column: Int) -> String {
        let cell = cells[row][column]
        let space = String(repeating: " ", count: max(0, widths[column] - cell.displayWidth))
        return columns[column].isName ? cell + space : space + cell
    }
}

extension String {
    /// How many places of a terminal the text takes: two for a character of East Asian writing or an emoji.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// A text that is too wide with `…` in the place of its middle: names often differ at their ends.
    func cut(to width: Int) -> String {
        guard displayWidth > width, width > 0 else { return self }
        let front = Self.part(self, width / 2)
        return front + "…" + String(Self.part(reversed(), width - 1 - front.displayWidth).reversed())
    }

    /// As many characters as fit, from the first.
    private static func part(_ characters: some Sequence<Character>, _ width: Int) -> String {
        var (text, used) = ("", 0)
        for character in characters {
            used += character.displayWidth
            if used > width { break }
            text.append(character)
        }
        return text
    }
}

extension Character {
    fileprivate var displayWidth: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
            0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
            return 2
        default: return 1
        }
    }
}

extension HumanTable.Column {
    fileprivate var mayBeCut: Bool { isName && !isWhole }
}
