import Testing

@testable import Reports

@Suite("What the page's first sentence accuses")
struct GroupTroublesTests {
    private static let dayMs: Int64 = 86_400_000
    /// 2026-11-28, 00:00 UTC.
    private static let midnight: Int64 = 1_795_824_000_000

    /// Sessions of ten plays, ten an hour and region. The last play of the last one fails, and the last two of each one
    /// where `isBad` says so.
    private static func plays(days: Int, regions: [String], isBad: (String, Int, Int) -> Bool) -> [StoredPlay] {
        var plays: [StoredPlay] = []
        for day in 0..<days {
            for hour in 0..<24 {
                for (position, region) in regions.enumerated() {
                    for number in 0..<100 {
                        let session = "\(region)-\(day)-\(hour)-\(number / 10)"
                        var play = StoredPlay(playId: "\(session)-\(number)", sessionId: session, cdnRegion: region)
                        play.startupMs = 300
                        play.watchedMs = 10_000
                        play.endedAt =
                            midnight + Int64(day) * dayMs + Int64(hour) * 3_600_000 + Int64(number * 10 + position)
                        play.receivedAt = play.endedAt
                        play.arrival = Int64(plays.count + 1)
                        let isLast = number % 10 > 7
                        play.errorCode = isBad(region, day, hour) && isLast || number == 99 ? "timeout" : nil
                        plays.append(play)
                    }
                }
            }
        }
        return plays
    }

    private func sentences(_ plays: [StoredPlay], _ request: ReportRequest = ReportRequest()) throws -> [String] {
        let html = HTMLRenderer.render(try PlayTable(plays).maker.page(request))
        return html.matches(of: /<p class="answer">([^\n]*)<\/p>/).map {
            String($0.1).replacing(/<[^>]+>/, with: "").replacing("\u{A0}", with: " ")
        }
    }

    @Test("is the region of a bad evening, with the day and the hours, though the whole time is worse for it")
    func evening() throws {
        let plays = Self.plays(days: 3, regions: ["a", "b", "c"]) { region, day, hour in
            region == "c" && day == 1 && (18..<22).contains(hour)
        }
        let said = try sentences(plays)
        #expect(said.count == 2)
        #expect(
            said[0].hasPrefix(
                "c was worse than all others together on 29 November, from 18:00 to 22:00: "
                    + "4.2 times as many failures, "), "\(said[0])")
        #expect(said[0].hasSuffix(" (4.17 %, for the others 1.00 %)."))
        #expect(said[1] == "Of the other groups none is shown to be worse than the rest.")
    }

    @Test("is told in the hours of the report's zone, up to midnight")
    func zone() throws {
        let plays = Self.plays(days: 2, regions: ["a", "b"]) { region, day, hour in
            region == "b" && day == 0 && (19..<23).contains(hour)
        }
        let zone = try ReportZone(named: "Europe/Stockholm")
        #expect(
            try sentences(plays, ReportRequest(zone: zone)).first?.contains(
                "on 28 November, from 20:00 to 24:00: ") == true)
    }

    @Test("is said once of a region that is worse day after day")
    func lasting() throws {
        let plays = Self.plays(days: 3, regions: ["a", "b"]) { region, _, hour in region == "b" && hour % 4 == 0 }
        let said = try sentences(plays)
        #expect(said.count == 2)
        #expect(said[0].hasPrefix("b is worse than all others together: 5.8 times as many failures, "), "\(said[0])")
        #expect(said[1] == "Of the other groups none is shown to be worse than the rest.")
    }

    @Test("has no hours where the whole day was bad")
    func wholeDay() throws {
        let plays = Self.plays(days: 2, regions: ["a", "b"]) { region, day, _ in region == "b" && day == 1 }
        let said = try #require(try sentences(plays).first)
        #expect(
            said.hasPrefix("b was worse than all others together on 29 November: 20 times as many failures, "),
            "\(said)")
    }

    @Test("is nobody where nobody is worse, nor a region of forty plays, of which that is said")
    func nobody() throws {
        var plays = Self.plays(days: 1, regions: ["a", "b"]) { _, _, hour in hour == 3 }
        for index in 0..<40 {
            plays[index].cdnRegion = "small"
            plays[index].errorCode = "timeout"
        }
        #expect(
            try sentences(plays) == [
                "No group is shown to be worse than the others together.",
                "Too few sessions to say anything of: small.",
            ])
    }
}
