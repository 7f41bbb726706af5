import Testing

@testable import Reports

@Suite("The words that ask for a report")
struct WordsTests {
    private func message(_ body: () throws -> Void) -> String? {
        #expect(throws: ReportRequestError.self, performing: body)?.description
    }

    @Test("name one to three dimensions")
    func dimensions() throws {
        #expect(try PlayDimension.list("day,cdnRegion,tag:lifecycle") == [.day, .cdnRegion, .tag("lifecycle")])
        #expect(PlayDimension.tag("arm").column == "tag_arm")
        #expect(
            message { _ = try PlayDimension.list("cdnregion") }
                == "unknown dimension 'cdnregion': did you mean 'cdnRegion'?")
        #expect(message { _ = try PlayDimension.list("cdn,cdn") } == "the dimension 'cdn' stands twice")
        #expect(
            message { _ = try PlayDimension.list("cdn,day,hour,network") }
                == "4 dimensions: a report goes by three at most")
        for bad in ["tag:", "tag:A", "tag:1a", "tag:a-b", "tag:" + String(repeating: "a", count: 33), "", "tag:é"] {
            #expect(message { _ = try PlayDimension.list(bad) } != nil, "\(bad)")
        }
    }

    @Test("choose plays by a value, by all others, or by having none")
    func filters() throws {
        #expect(try PlayFilter("network=wifi") == PlayFilter(.network, "wifi"))
        #expect(try PlayFilter("network!=a=b") == PlayFilter(.network, "a=b", isNegated: true))
        #expect(try PlayFilter("cdnRegion=(unknown)") == PlayFilter(.cdnRegion, "(unknown)"))
        #expect(try PlayFilter("errorCode!=(none)") == PlayFilter(.errorCode, "(none)", isNegated: true))
        #expect(try PlayFilter("day=2026-11-29") == PlayFilter(.day, "2026-11-29"))
        #expect(try PlayFilter("cdn=\u{301}a") == PlayFilter(.cdn, "\u{301}a"))
        // Two values, although Swift takes the texts for equal.
        #expect(Set([PlayFilter(.cdn, "\u{E9}"), PlayFilter(.cdn, "e\u{301}")]).count == 2)
        for bad in [
            "network", "=wifi", "network=", "errorCode=(unknown)", "cdn=(none)", "day=yesterday", "hour=12", "x=y",
        ] {
            #expect(message { _ = try PlayFilter(bad) } != nil, "\(bad)")
        }
    }

    @Test("choose plays by one of several values, a value in quotes as it stands")
    func alternatives() throws {
        func values(_ text: String) throws -> [String] { try PlayFilter(text).alternatives }
        #expect(try values("network=wifi") == ["wifi"])
        #expect(try values("network=wifi,(unknown)") == ["wifi,(unknown)", "wifi", "(unknown)"])
        #expect(try values("network=(unknown),wifi") == ["(unknown)", "wifi"])
        #expect(try values("deviceModel=iPhone17,1") == ["iPhone17,1", "iPhone17", "1"])
        #expect(try values(#"deviceModel="iPhone17,1",x"#) == ["iPhone17,1", "x"])
        #expect(try values(#"deviceModel="a""b""#) == [#"a"b"#])
        #expect(try values(#"deviceModel="a"b,c"#) == [#""a"b,c"#, #""a"b"#, "c"])
        #expect(try values("day=2026-11-28,2026-11-29") == ["2026-11-28", "2026-11-29"])
        #expect(try PlayFilter(exactly: "cdn=a,b") == PlayFilter(.cdn, "a,b"))
        for bad in ["cdn=a,", "cdn=,a", "cdn=a,,b", "day=2026-11-28,x", #"cdn="""#] {
            #expect(message { _ = try PlayFilter(bad) } != nil, "\(bad)")
        }
        let maker = try CaseStore("tiny-by-hand").maker
        func plays(_ text: String) throws -> Int64 {
            let request = ReportRequest(by: [], filters: [try PlayFilter(text)])
            return try maker.plays(request).periods.first?.all.totals[.plays] ?? 0
        }
        #expect(try plays("cdnRegion=eu-west,us-east") == 13)
        #expect(try plays("cdnRegion!=eu-west,us-east") == 1)
        #expect(try plays("cdnRegion=us-east,(unknown)") == 5)
        #expect(try plays("day=2026-11-29,2026-11-30") == 14)
        #expect(try plays("day!=2026-11-28,2026-11-29") == 0)
    }

    @Test("find plays by them on every path", arguments: [("(unknown)", 1), ("eu-west", 2)])
    func found(_ value: String, _ rows: Int) throws {
        let cases = try CaseStore("tiny-by-hand")
        let table = try cases.maker.table(.summary, ReportRequest(filters: [PlayFilter(.cdnRegion, value)]))
        #expect(table.rows.count == 2)
    }

    @Test(
        "name a value that some play has had, and are told the nearest of them otherwise",
        arguments: [
            ("cdnRegion=eu-wset", "no play has ever had the cdnRegion 'eu-wset': did you mean 'eu-west'"),
            ("cdnRegion!=eu-wset", "no play has ever had the cdnRegion 'eu-wset': did you mean 'eu-west'"),
            ("cdnRegion=eu-west,us-eats", "no play has ever had the cdnRegion 'us-eats': did you mean 'us-east'"),
            ("cdnRegion=antarctica", "no play has ever had the cdnRegion 'antarctica': there is 'eu-west', 'us-east'"),
            ("cdn=é\u{202E}", "no play has ever had the cdn 'é⟨U+202E⟩'"),
            ("tag:arm=a", "no play has ever had the tag:arm 'a', nor any other"),
        ])
    func unknown(_ filter: String, _ start: String) throws {
        let cases = try CaseStore("tiny-by-hand")
        let request = ReportRequest(filters: [try PlayFilter(filter)])
        for told in [
            message { _ = try cases.maker.table(.summary, request) }, message { _ = try cases.maker.page(request) },
        ] {
            #expect(told?.hasPrefix(start) == true, "\(told ?? "nothing")")
        }
        // Without any play there is nothing to tell.
        _ = try CaseStore("empty").maker.table(.summary, request)
    }
}
