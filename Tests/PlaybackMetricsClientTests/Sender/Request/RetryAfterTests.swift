import Foundation
import Testing

@testable import PlaybackMetricsClient

@Suite("Retry-After")
struct RetryAfterTests {
    private static let sunday = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func duration(_ value: String?, date: String? = nil, deviceClock: TimeInterval = 784_111_777) -> Duration? {
        RetryAfter.duration(value, date: date) { Date(timeIntervalSince1970: deviceClock) }
    }

    @Test("is a number of seconds", arguments: [("0", 0), ("120", 120), (" 7 ", 7), ("007", 7)])
    func seconds(text: String, expected: Int) {
        #expect(duration(text) == .seconds(expected))
    }

    @Test("is very long when its number is")
    func huge() throws {
        #expect(try #require(duration(String(repeating: "9", count: 400))) > .seconds(3600))
    }

    @Test(
        "is a date in any of HTTP's three forms",
        arguments: ["Sun, 06 Nov 1994 08:49:47 GMT", "Sunday, 06-Nov-94 08:49:47 GMT", "Sun Nov  6 08:49:47 1994"])
    func dates(_ text: String) {
        #expect(duration(text) == .seconds(10))
    }

    @Test("is told from the response's own date, however wrong the device's clock is")
    func serverClock() {
        #expect(duration("Sun, 06 Nov 1994 08:50:37 GMT", date: Self.sunday, deviceClock: 0) == .seconds(60))
        #expect(duration("Sun, 06 Nov 1994 08:50:37 GMT", date: "nonsense") == .seconds(60))
    }

    @Test("is none in the past, or far ahead at most a long time")
    func past() throws {
        #expect(duration("Sun, 06 Nov 1994 08:00:00 GMT") == .zero)
        #expect(try #require(duration("Fri, 31 Dec 9999 23:59:59 GMT")) > .seconds(3600))
    }

    @Test(
        "says nothing when it is nonsense", arguments: [nil, "", " ", "soon", "-1", "1.5", "12s", "Sun, 99 Nov 1994"])
    func nonsense(_ text: String?) {
        #expect(duration(text) == nil)
    }
}
