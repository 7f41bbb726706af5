import Testing

@testable import Reports

@Suite("A report for people")
struct HumanRendererTests {
    static let requests: [ReportRequest] = [
        ReportRequest(), ReportRequest(by: [.day, .cdnRegion]), ReportRequest(by: []),
        ReportRequest(by: [.tag("arm"), .network, .appVersion]), ReportRequest(by: [.errorCode, .hour]),
    ]

    @Test("fits a terminal of 100 columns, and is cut nowhere in a pipe and in Markdown", arguments: requests)
    func width(_ request: ReportRequest) throws {
        var plays = RandomPlays.make(seed: 9, count: 400)
        for index in plays.indices where index % 3 == 0 {
            plays[index].cdnRegion = String(repeating: "区", count: 20)
            plays[index].errorCode = plays[index].errorCode.map { _ in String(repeating: "E", count: 60) }
        }
        let document = try PlayTable(plays).maker.document(ReportMetric.allCases, request)
        for line in TextTableRenderer.render(document, tableWidth: 100).split(separator: "\n") {
            #expect(String(line).displayWidth <= 100, "\(line)")
        }
        for text in [TextTableRenderer.render(document), MarkdownRenderer.render(document)] {
            #expect(!text.contains("…"))
        }
    }

    @Test("lines numbers up on the right and names on the left")
    func text() throws {
        let document = try CaseStore("tiny-by-hand").maker.document([.summary], ReportRequest(by: [.day, .cdnRegion]))
        let expected = """
            Summary
            All plays; time zone UTC; target 1 s; as of 2026-11-29 10:05 UTC

            2026-11-29
            CDN region  plays  startup p50  startup p95  rebuffering          failures  data/session
            eu-west         9       400 ms       1.50 s       5.00 %   22.2 %                 8.8 MB
            us-east         4       800 ms       0.90 s       2.50 %    0.0 %                24.8 MB
            (unknown)       1            –            –            –  100.0 %                      –
            (all)          14       700 ms       1.50 s       3.64 %   21.4 % (5.2–58)       16.8 MB

            ± is the larger half of the 95 % confidence interval, and parentheses hold its two ends. It is
            computed over sessions, not plays; neither of the two means too few sessions.
            0 plays arrived more than an hour after their day had ended.

            """
        #expect(TextTableRenderer.render(document) == expected)
    }

    @Test("says in every format how many plays silence ended, from more than a twentieth on", arguments: [1, 2])
    func silence(silent: Int) throws {
        var plays = Array(repeating: StoredPlay(cdnRegion: "eu", endedBy: "reported"), count: 20)
        for index in 0..<silent { plays[index].endedBy = "silence" }
        let maker = try PlayTable(plays).maker
        let document = try maker.document(ReportMetric.allCases, ReportRequest())
        let texts = [
            TextTableRenderer.render(document), MarkdownRenderer.render(document),
            HTMLRenderer.render(try maker.page(ReportRequest())).replacing("\u{A0}", with: " "),
            document.tables.map { JSONRenderer.render($0) }.joined(),
        ]
        for text in texts { #expect(text.contains("10.0 % of the plays ended by silence") == (silent == 2)) }
        #expect(JSONRenderer.render(document.table(.summary)).contains("\"notes\": [\"10.0 %") == (silent == 2))
    }

    @Test("is a Markdown table whose cells take nothing for markup")
    func markdown() throws {
        var plays = RandomPlays.make(seed: 3, count: 12)
        for index in plays.indices { plays[index].cdnRegion = "a|b_c&lt;" }
        let text = MarkdownRenderer.render(try PlayTable(plays).maker.document([.quality], ReportRequest()))
        #expect(text.contains("## Data quality"))
        #expect(text.contains(#"| a\|b\_c\&lt; |"#))
        #expect(text.contains("| ------------ | ----: |"))
    }

    @Test("writes out what would turn or hide the text around it")
    func visible() throws {
        var plays = RandomPlays.make(seed: 3, count: 12)
        for index in plays.indices { plays[index].cdnRegion = "a\u{202E}b\u{2028}c" }
        let maker = try PlayTable(plays).maker
        let document = try maker.document([.quality], ReportRequest())
        for text in [
            TextTableRenderer.render(document), MarkdownRenderer.render(document),
            HTMLRenderer.render(try maker.page(ReportRequest())),
        ] {
            #expect(text.contains("a⟨U+202E⟩b⟨U+20"))
            #expect(!text.unicodeScalars.contains { "\u{202E}\u{2028}".unicodeScalars.contains($0) })
        }
        #expect(" a b\u{A0}".visible == "⟨U+0020⟩a b⟨U+00A0⟩")
        #expect("\u{3000}".visible == "⟨U+3000⟩")
        #expect("👩‍👩‍👧 é\u{301}".visible == "👩‍👩‍👧 é\u{301}")
    }

    @Test("is coloured only when it was asked for, and says in words what the colours say")
    func colour() throws {
        let maker = try PlayTable(RandomPlays.make(seed: 5, count: 300)).maker
        let document = try maker.document([.summary], ReportRequest(), comparing: ComparisonRequest(.rest))
        let (plain, coloured) = (
            TextTableRenderer.render(document), TextTableRenderer.render(document, usesColour: true)
        )
        #expect(!plain.contains("\u{1b}"))
        #expect(coloured.contains("\u{1b}[1m"))
        let stripped = coloured.replacing(/\u{1b}\[[0-9]+m/, with: "")
        #expect(stripped == plain)
    }

    @Test("reads numbers in units that people know")
    func numbers() {
        #expect(HumanNumber.milliseconds(850).value == "850 ms")
        #expect(HumanNumber.milliseconds(1_240).value == "1.24 s")
        #expect(HumanNumber.milliseconds(75_400).value == "75.4 s")
        #expect(HumanNumber.milliseconds(nil).value == "–")
        #expect(HumanNumber.percent(0.0043).value == "0.43 %")
        #expect(HumanNumber.percent(0).value == "0 %")
        let share = HumanNumber.percent(0.0043, Interval(low: 0.0021, high: 0.0055))
        #expect(share.value + share.spread == "0.43 % (0.21–0.55)")
        let even = HumanNumber.percent(0.0043, Interval(low: 0.0031, high: 0.0056))
        #expect(even.value + even.spread == "0.43 % ±0.13")
        let open = HumanNumber.percent(0.0037, Interval(low: 0.0011, high: nil))
        #expect(open.value + open.spread == "0.37 % (at least 0.11)")
        #expect(HumanNumber.percent(0.0008, Interval(low: 1e-12, high: nil)).spread.isEmpty)
        #expect(HumanNumber.bytes(187_400_000).value == "187 MB")
        #expect(HumanNumber.bytes(999_600).value == "1.00 MB")
        #expect(HumanNumber.bytes(0).value == "0 B")
        #expect(HumanNumber.count(-1_234_567).value == "-1,234,567")
        #expect([0.843, 2.31, 17.4].map(HumanNumber.times) == ["0.84", "2.3", "17"])
        let none = HumanNumber.percent(0, Interval(low: 0, high: 0.0034))
        #expect(none.value + none.spread == "0 % (0–0.34)")
    }

    @Test("says a column's numbers in one unit with as many decimals each")
    func columns() {
        let bytes = [187_400_000, 13_600_000, 950_000].map { HumanNumber.bytes($0) }
        #expect(HumanNumber.aligned(bytes).map(\.value) == ["187.4 MB", "13.6 MB", "0.9 MB"])
        let rates = [0.124, 0.0037, nil, 0].map { HumanNumber.percent($0) }
        #expect(HumanNumber.aligned(rates).map(\.value) == ["12.40 %", "0.37 %", "–", "0.00 %"])
        let times = [412, 1_240].map { HumanNumber.milliseconds(Int64($0)) }
        #expect(HumanNumber.aligned(times).map(\.value) == ["412 ms", "1240 ms"])
    }

    @Test("cuts a name in its middle")
    func cut() {
        #expect("2026-11-28/2026-11-29".cut(to: 11) == "2026-…11-29")
        #expect("区区区区区".cut(to: 6) == "区…区")
    }
}
