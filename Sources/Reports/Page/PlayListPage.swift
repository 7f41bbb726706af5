/// Plays one by one as an HTML page that needs nothing else.
package enum PlayListPage {
    package static func render(_ list: PlayList, links: PageLinks) -> String {
        HTMLPage(
            title: list.heading, skip: "To the plays",
            header: """
                <p class="quiet">The plays behind a number</p>
                <h1>\(list.heading)</h1>
                <p class="quiet">\(list.title(isForPage: true))</p>

                """,
            main: body(list, links)
        ).text
    }

    private static func body(_ list: PlayList, _ links: PageLinks) -> HTML {
        if let absence = list.absence { return "<p>\(absence)</p>\n" }
        if case .play = list.choice { return "\(list.plays.map { facts($0, list).html(.nothing) })" }
        var table = list.humanTable
        (table.title, table.period) = ("Plays", "")
        for (row, play) in list.plays.enumerated() where !table.columns.isEmpty {
            let ended = play.number(.endedAt).map { PeriodWords.words($0, in: list.request.zone, unit: 1_000) }
            table.rows[row][0] = HumanTable.Cell(ended ?? HumanNumber.none)
            if case .session = list.choice {
                table.rows[row][0].link = play.text(.playId).map(links.play)
            } else {
                table.rows[row][0].link = play.text(.sessionId).map(links.session)
            }
        }
        return table.html(.nothing)
    }

    private static func facts(_ play: PlayRecord, _ list: PlayList) -> HumanTable {
        var table = HumanTable(
            title: list.heading, period: list.title,
            columns: [.init(heading: "field", isName: true), .init(heading: "value", isName: true)])
        for field in PlayField.allCases {
            guard let text = list.human(play, field) else { continue }
            table.rows.append([.init(field.rawValue), .init(text)])
        }
        return table
    }
}
