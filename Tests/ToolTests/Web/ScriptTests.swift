import Foundation
import PlaybackMetricsClient
import Testing
import TestSupport

@Suite("The script for web pages, with a clock and a network that a test makes,", .tools)
struct ScriptTests {
    private static let inputs = [
        "play", "pause", "playing", "waiting", "seeking", "seeked", "ended", "error", "emptied",
    ]

    private struct Event: Decodable, Equatable {
        var startupMs: Int?
        var waitedMs: Int?
        var watchedMs: Int
        var stalls: Int
        var stalledMs: Int
        var avgBitrate: Int?
        var attempt: Int
        var error: [String: Value]?
        var tags: [String: String]?

        enum Value: Decodable, Equatable {
            case text(String)
            case number(Int)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                self = try (try? .number(container.decode(Int.self))) ?? .text(container.decode(String.self))
            }
        }
    }

    private typealias Step = (input: String, at: Int)

    private static func sequence(_ generator: inout SeededGenerator) -> [Step] {
        var now = 0
        return (0..<Int.random(in: 2...40, using: &generator)).map { number in
            now += [0, 1, 40, 260, 299, 300, 301, 900, 4_000].randomElement(using: &generator) ?? 0
            // Most plays begin, and few of them end at once.
            let isRare = Int.random(in: 0..<8, using: &generator) == 0
            let input = number == 0 ? "play" : inputs.prefix(isRare ? 9 : 6).randomElement(using: &generator) ?? "play"
            return (Int.random(in: 0..<60, using: &generator) == 0 ? "suspended" : input, now)
        }
    }

    /// What the client library's meter makes of it.
    private static func expected(_ steps: [Step], bitrate: Double) throws -> [Event] {
        let session = PlaybackSession()
        let newMeter = { PlaybackMeter(videoId: "v", memory: { nil }) { PlaybackContext(session: session) } }
        var meter = newMeter()
        var events: [Event] = []
        let begun = PlaybackInstant(sinceOrigin: .zero)
        for step in steps + [("suspended", steps.last?.at ?? 0)] {
            // Another source, which is no replay and no going on.
            if step.input == "emptied", !meter.isPlayOpen { meter = newMeter() }
            let instant = begun.advanced(by: .milliseconds(step.at))
            let input: PlaybackInput =
                switch step.input {
                case "play": .play
                case "pause": .pause
                case "playing": .status(.playing)
                case "waiting": .status(.stalled)
                case "seeking": .seekBegan
                case "seeked": .seekEnded
                case "ended": .status(.ended)
                case "error": .status(.failed(PlaybackError(domain: "MediaError", code: 3)))
                case "emptied": meter.hasStarted ? .stop : .pause
                default: .suspended
                }
            if let summary = meter.handle(input, at: instant) {
                events.append(
                    Event(
                        startupMs: summary.startupMs.map { Int($0) }, waitedMs: summary.waitedMs.map { Int($0) },
                        watchedMs: Int(summary.watchedMs), stalls: Int(summary.stalls),
                        stalledMs: Int(summary.stalledMs), avgBitrate: summary.avgBitrate.map { Int($0) },
                        attempt: Int(summary.attempt),
                        error: summary.error == nil ? nil : ["domain": .text("MediaError"), "code": .number(3)],
                        tags: summary.context.tags["start"].map { ["start": "\($0)"] }))
            }
            meter.handle(.bitrate(bitrate), at: instant)
        }
        return events
    }

    @Test("makes of a thousand courses of events what the client library's meter makes of them")
    func meter() throws {
        var generator = SeededGenerator(seed: 15)
        let sequences = (0..<1_000).map { _ in Self.sequence(&generator) }
        let jobs = try sequences.enumerated().map { number, steps in
            let words = try JSONSerialization.data(withJSONObject: steps.map { [$0.input, $0.at] as [Any] })
            return "return replay('s\(number)', 500, \(String(decoding: words, as: UTF8.self)))"
        }
        let found = try Self.run(jobs, as: [Event].self)
        #expect(found.count == sequences.count)
        for (steps, events) in zip(sequences, found) {
            #expect(events == (try Self.expected(steps, bitrate: 500)), "\(steps)")
        }
        #expect(found.joined().count { $0.stalls > 0 } > 100 && found.joined().count { $0.watchedMs > 0 } > 500)
    }

    @Test("takes an event at its own time, however late a busy page hears of it")
    func late() throws {
        let event = try #require(try Self.run(["return late()"], as: [Event].self).first?.first)
        #expect(event.startupMs == 1_050 && event.watchedMs == 2_000)
    }

    private struct Course: Decodable {
        struct Request: Decodable {
            /// ms since the plays were made; nil for a beacon.
            var at: Double?
            var query: String
            var count: Int
            var headers: [String: String]?
            /// Of a beacon: whether it was a string.
            var isText: Bool?
            var first: String
            var age: Int
            var sequence: Int
            var made: Int
            var dropped: Int
            var rejected: Int
        }

        var posts: [Request]
        var beacons: [Request]
    }

    @Test("keeps plays while nobody takes them, waits longer each time and as long as it is told, and loses none")
    func keeps() throws {
        let course = try Self.run(
            [
                "return send('keeps', [{ status: 503, after: '7' }, 'nothing', { status: 200, text: '<html>' }, 429], 2, 9e6)"
            ],
            as: Course.self)[0]
        // Chance is a half: 15 s until the first; then half of 30 s and the 7, of 60, of 120, of 240 s.
        #expect(course.posts.map(\.at) == [15_000, 37_000, 67_000, 127_000, 247_000])
        #expect(course.posts.map(\.sequence) == [0, 1, 2, 3, 4] && course.posts.allSatisfy { $0.count == 2 })
        // No preflight: no header, and the key in the address.
        #expect(
            course.posts.allSatisfy { $0.headers == nil && $0.query == "?key=k" && $0.made == 2 && $0.dropped == 0 })
        #expect(course.posts.map(\.age) == [15_000, 37_000, 67_000, 127_000, 247_000])
    }

    @Test("halves what is too large, gives up what is refused, keeps 500 plays at most, and accounts for all of it")
    func givesUp() throws {
        let rejecting =
            #"{ status: 202, text: '{"accepted":1,"rejected":[{"index":1,"code":"missing","field":"stalls"}]}' }"#
        let courses = try Self.run(
            [
                "return send('halves', [413, 413, 202, 403, 202], 5, 600000)",
                "return send('many', [], 620, 100000)",
                "return send('rejected', [\(rejecting)], 2, 20000).then(() => send('rejected', [], 1, 100000))",
            ], as: Course.self)
        #expect(courses[0].posts.map(\.count) == [5, 3, 2, 2, 1])
        #expect(courses[0].posts.map(\.first) == ["clip-0", "clip-0", "clip-0", "clip-2", "clip-4"])
        #expect(courses[0].posts.map(\.dropped) == [0, 0, 0, 0, 2])
        #expect(courses[1].posts.map(\.count) == [100, 100, 100, 100, 100])
        #expect(courses[1].posts.first?.first == "clip-120" && courses[1].posts.last?.dropped == 120)
        #expect(courses[2].posts.map(\.rejected) == [1] && courses[2].posts.map(\.made) == [3])
    }

    @Test(
        "sends what is unanswered with a beacon when it is left, once, in pieces that a browser takes, and again when it lives on"
    )
    func leaves() throws {
        let leave =
            "isAway = true; document.dispatchEvent(new Event('visibilitychange'));"
            + "window.dispatchEvent(new Event('pagehide')); isAway = false;"
        let courses = try Self.run(
            [
                "await send('leaves', [], 3, 0); \(leave) await pass(60000); return seen()",
                "await send('pieces', [], 300, 0); \(leave) await pass(60000); return seen()",
                "await send('full', [], 3, 0); room = 10; \(leave) await pass(60000); return seen()",
            ], as: Course.self)
        #expect(courses[0].beacons.map(\.count) == [3] && courses[0].beacons.allSatisfy { $0.isText == true })
        #expect(courses[0].posts.map(\.count) == [3] && courses[0].posts.map(\.sequence) == [1])
        #expect(
            courses[1].beacons.map(\.count).reduce(0, +) == 300 && courses[1].beacons.allSatisfy { $0.count <= 100 })
        #expect(courses[1].posts.map(\.count) == [100, 100, 100])
        #expect(courses[2].beacons.isEmpty && courses[2].posts.map(\.count) == [3])
    }

    /// What the page `script.html` makes of each job, which is JavaScript.
    static func run<Value: Decodable>(_ jobs: [String], as type: Value.Type) throws -> [Value] {
        let root = Checkout.root
        let result = try BuiltProgram.run(
            "timeout",
            [
                "300", "python3", "-B", root.appendingPathComponent("Tests/ToolTests/Web/Pages/drive_script.py").path,
                root.appendingPathComponent("Sources/Ingest/Web/qoe-video.js").path,
            ], input: String(decoding: try JSONEncoder().encode(jobs), as: UTF8.self))
        try #require(result.status == 0, "\(result.errors)")
        return try result.output.split(separator: "\n").map {
            try JSONDecoder().decode(Value.self, from: Data($0.utf8))
        }
    }
}
