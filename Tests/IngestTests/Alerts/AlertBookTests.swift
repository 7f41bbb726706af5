import Foundation
import Testing

@testable import Ingest

@Suite("The book of alerts")
struct AlertBookTests {
    /// One level's looks, a minute apart.
    private struct Watch {
        var book = AlertBook()
        var time: Int64 = 1_795_948_200_000
        var patience: Int64 = 0
        var tells = true
        var levels = ["start: plays > 3"]

        func reading(
            _ verdict: LevelReading.Verdict, key: String = "k", value: Double? = 0.25
        ) -> LevelReading {
            LevelReading(
                key: key, level: "start", text: "start: plays > 3", group: #"{"cdn_region": "\#(key)"}"#,
                verdict: verdict, value: value, plays: 40,
                window: time - hour..<time, patience: patience, link: "http://qoe/?by=cdnRegion")
        }

        /// A look a minute after the one before; what it changed.
        mutating func look(_ readings: [LevelReading]? = nil, _ verdict: LevelReading.Verdict = .good) -> [String] {
            time += minute
            return book.take(readings ?? [reading(verdict)], of: levels, at: time, tells: tells).map(\.state.rawValue)
        }

        mutating func look(_ verdict: LevelReading.Verdict) -> [String] { look(nil, verdict) }
    }

    private func object(_ body: String) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(body.utf8))
        return try #require(json as? [String: Any])
    }

    @Test("fires once when a level is broken, and is resolved once when its figure is good again")
    func once() throws {
        var watch = Watch()
        #expect(watch.look(.good) == [])
        #expect(watch.look(.failing) == ["firing"])
        let since = watch.time
        #expect(watch.look(.failing) == [])
        #expect(watch.look(.unclear) == [])
        #expect(watch.look(.good) == ["resolved"])
        #expect(watch.look(.good) == [])
        let messages = try watch.book.deliveries.map { try object($0.body) }
        #expect(messages.map { $0["state"] as? String } == ["firing", "resolved"])
        for message in messages {
            #expect(message["key"] as? String == "k" && message["level"] as? String == "start")
            #expect(message["group"] as? [String: String] == ["cdn_region": "k"])
            #expect(message["value"] as? Double == 0.25 && message["plays"] as? Int == 40)
            #expect(message["low"] is NSNull && message["since"] as? Int64 == since)
            #expect(message["url"] as? String == "http://qoe/?by=cdnRegion")
        }
        #expect(messages[1]["to"] as? Int64 == watch.time - minute)
    }

    @Test("waits as long as a level says, and begins anew when it was not broken in between")
    func patience() {
        var watch = Watch()
        watch.patience = 3 * minute
        #expect(watch.look(.failing) == [])
        #expect(watch.look(.failing) == [])
        #expect(watch.look(.unclear) == [])
        for _ in 0..<3 { #expect(watch.look(.failing) == []) }
        #expect(watch.look(.failing) == ["firing"])
    }

    @Test("tells apart plays that come late into the window in which it was resolved, until that is over")
    func late() {
        var watch = Watch()
        #expect(watch.look(.failing) == ["firing"])
        #expect(watch.look(.good) == ["resolved"])
        let resolvedTo = watch.time
        #expect(watch.book.freshStart(for: watch.reading(.failing)) == resolvedTo)
        #expect(watch.book.freshStart(for: watch.reading(.good)) == nil)
        for _ in 0..<59 { #expect(watch.look(.good) == []) }
        #expect(watch.book.freshStart(for: watch.reading(.failing)) == resolvedTo)
        #expect(watch.look(.good) == [])
        #expect(watch.book.alerts.isEmpty && watch.book.freshStart(for: watch.reading(.failing)) == nil)
    }

    @Test("keeps where it was resolved while it fails again but not for long enough")
    func lateWhilePending() {
        var watch = Watch()
        #expect(watch.look(.failing) == ["firing"])
        #expect(watch.look(.good) == ["resolved"])
        let start = watch.book.freshStart(for: watch.reading(.failing))
        watch.patience = 10 * minute
        #expect(watch.look(.failing) == [] && watch.look(.unclear) == [])
        #expect(watch.book.freshStart(for: watch.reading(.failing)) == start)
    }

    @Test("lets what fires go on while nothing is known of it, for seven days")
    func gone() throws {
        var watch = Watch()
        #expect(watch.look([watch.reading(.failing), watch.reading(.failing, key: "other")]) == ["firing", "firing"])
        #expect(watch.look([watch.reading(.failing)]) == [])
        watch.time += 7 * 24 * hour
        #expect(watch.look([watch.reading(.failing)]) == ["resolved"])
        let last = try object(try #require(watch.book.deliveries.last).body)
        #expect(last["key"] as? String == "other" && last["value"] is NSNull && last["plays"] as? Int == 0)
    }

    @Test("is resolved seven days after its last figure, though it is looked at each minute and found without one")
    func withoutFigure() {
        var watch = Watch()
        #expect(watch.look(.failing) == ["firing"])
        let last = watch.time
        // Too few plays to expect any, or none that the figure is about.
        for _ in 0..<7 * 24 {
            #expect(watch.look([watch.reading(.unclear, value: nil)]) == [])
            watch.time += 59 * minute
        }
        #expect(watch.time < last + 7 * 24 * hour + minute)
        #expect(watch.look([watch.reading(.unclear, value: nil)]) == ["resolved"])
        #expect(watch.look([watch.reading(.unclear, value: nil)]) == [])
    }

    @Test("goes on firing without a figure for a while, and for as long as there is a wrong one or plays are missed")
    func figureComesBack() {
        var watch = Watch()
        #expect(watch.look(.failing) == ["firing"])
        watch.time += 6 * 24 * hour
        #expect(watch.look([watch.reading(.unclear, value: nil)]) == [])
        #expect(watch.look(.unclear) == [])
        watch.time += 6 * 24 * hour
        #expect(watch.look([watch.reading(.failing, value: nil)]) == [])
        watch.time += 6 * 24 * hour
        #expect(watch.look([watch.reading(.unclear, value: nil)]) == [])
        #expect(watch.look(.good) == ["resolved"])
    }

    @Test("keeps everything of a level that could not be judged, be it pending or firing")
    func unjudged() {
        var watch = Watch()
        #expect(watch.look(.failing) == ["firing"])
        watch.patience = 3 * minute
        #expect(watch.look([watch.reading(.failing), watch.reading(.failing, key: "slow")]) == [])
        let before = watch.book
        let text = watch.levels[0]
        for _ in 0..<3 {
            watch.time += 3 * 24 * hour
            let changes = watch.book.take([], of: watch.levels, unjudged: [text], at: watch.time, tells: true)
            #expect(changes == [] && watch.book == before)
        }
        #expect(watch.look([watch.reading(.failing), watch.reading(.failing, key: "slow")]) == ["firing"])
    }

    @Test("resolves what is of a level that has left the file, and forgets what was not told yet")
    func leftTheFile() {
        var watch = Watch()
        #expect(watch.look(.failing) == ["firing"])
        watch.patience = 5 * minute
        #expect(watch.look([watch.reading(.failing), watch.reading(.failing, key: "other")]) == [])
        watch.levels = []
        #expect(watch.look([]) == ["resolved"])
        #expect(watch.book.alerts["other"] == nil)
    }

    @Test("takes two levels of the same text and group for one")
    func twice() {
        var watch = Watch()
        #expect(watch.look([watch.reading(.failing), watch.reading(.good)]) == ["firing"])
    }

    @Test("without a webhook keeps states and queues nothing; once there is one, it is told of what fires")
    func noWebhook() {
        var watch = Watch()
        watch.tells = false
        #expect(watch.look(.failing) == ["firing"])
        #expect(watch.look([watch.reading(.failing), watch.reading(.failing, key: "b")]) == ["firing"])
        #expect(watch.look([watch.reading(.failing), watch.reading(.good, key: "b")]) == ["resolved"])
        #expect(watch.book.deliveries.isEmpty)
        watch.tells = true
        #expect(watch.look(.failing) == [])
        #expect(watch.look(.failing) == [])
        #expect(watch.book.deliveries.map(\.key) == ["k"])
    }

    @Test("loses no change when too many messages wait: it comes later")
    func full() {
        var watch = Watch()
        let keys = (0..<AlertBook.mostDeliveries).map { "key-\($0)" }
        let many = keys.map { watch.reading(.failing, key: $0) }
        #expect(watch.look(many).count == AlertBook.mostDeliveries)
        let one = many.dropFirst() + [watch.reading(.failing, key: "one"), watch.reading(.good, key: "key-0")]
        #expect(watch.look(Array(one)) == [])
        #expect(watch.book.deliveries.count == AlertBook.mostDeliveries)
        for delivery in watch.book.deliveries.prefix(2) { watch.book.remove(delivery: delivery.number) }
        #expect(Set(watch.look(Array(one))) == ["firing", "resolved"])
        #expect(Set(watch.book.deliveries.suffix(2).map(\.key)) == ["key-0", "one"])
    }

    @Test("is the same after it was written and read")
    func round() throws {
        var watch = Watch()
        _ = watch.look([watch.reading(.failing), watch.reading(.good, key: "é\"\\\u{2028}")])
        _ = watch.look(.good)
        let data = try JSONEncoder().encode(watch.book)
        #expect(try JSONDecoder().decode(AlertBook.self, from: data) == watch.book)
        #expect(!watch.book.alerts.isEmpty && watch.book.deliveries.count == 2)
    }
}

private let hour: Int64 = 3_600_000
private let minute: Int64 = 60_000
