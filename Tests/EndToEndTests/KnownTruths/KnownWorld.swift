import Foundation
import TestSupport

/// Plays of which it is known what is wrong with them, as lines for `qoe load`.
struct KnownWorld {
    /// Of one session: who it is and when, and how its plays go.
    struct Visit {
        var day: Int
        var hour: Int
        var region = "eu-west"
        var cdn = "apricot"
        var network = "wifi"
        var version = "5.2.0"
        // Probabilities of each play.
        var failure = 0.01
        var code = "CoreMediaErrorDomain#-12660"
        var late = 0.1
        var stall = 0.05
    }

    /// 2026-11-01, a Sunday.
    static let firstDay = "2026-11-01"
    private static let start: Int64 = 1_793_491_200_000

    private(set) var lines: [String] = []
    private var random: SeededGenerator
    private var sessions = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func isTrue(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

    /// Adds a session of one to nine plays.
    mutating func add(_ visit: Visit) {
        sessions += 1
        // Some viewers have more luck than others.
        let mood = Double.random(in: 0.4..<1.6, using: &random)
        let events = (0..<Int.random(in: 1...9, using: &random)).map { _ in event(visit, mood) }
        let time =
            Self.start + Int64(visit.day) * 86_400_000 + Int64(visit.hour) * 3_600_000
            + Int64.random(in: 0..<3_600_000, using: &random)
        lines.append(
            """
            {"receivedAt":\(time),"body":{"context":{"sessionId":"s\(sessions)","cdnRegion":"\(visit.region)",\
            "cdn":"\(visit.cdn)","network":"\(visit.network)","appVersion":"\(visit.version)"},\
            "events":[\(events.joined(separator: ","))]}}
            """)
    }

    private mutating func event(_ visit: Visit, _ mood: Double) -> String {
        if isTrue(0.02) { return #"{"videoId":"v","stalls":0,"stalledMs":0,"watchedMs":0,"waitedMs":4000}"# }
        let startup = isTrue(visit.late * mood) ? 1_500 : Int.random(in: 200..<900, using: &random)
        let watched = Int.random(in: 5_000..<40_000, using: &random)
        let stalled = isTrue(visit.stall * mood) ? Int.random(in: 300..<1_500, using: &random) : 0
        let error = isTrue(visit.failure * mood) ? ",\"error\":\"\(visit.code)\"" : ""
        return """
            {"videoId":"v","startupMs":\(startup),"stalls":\(stalled > 0 ? 1 : 0),"stalledMs":\(stalled),\
            "watchedMs":\(watched)\(error)}
            """
    }

    /// An hour of the day, in the evening more often.
    mutating func hour() -> Int {
        isTrue(0.4) ? Int.random(in: 17..<23, using: &random) : Int.random(in: 0..<24, using: &random)
    }

    mutating func any(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }

    // MARK: Worlds

    /// A region that fails six times as often from the eighth day on.
    static func regionWorseFromDayEight() -> KnownWorld {
        var world = KnownWorld(seed: 8)
        for day in 0..<14 {
            for _ in 0..<240 {
                var visit = Visit(day: day, hour: world.hour(), region: world.any(["eu-west", "us-east", "ap-south"]))
                visit.network = world.isTrue(0.4) ? "cellular" : "wifi"
                if visit.region == "ap-south", day >= 7 { visit.failure = 0.06 }
                world.add(visit)
            }
        }
        return world
    }

    /// A version with four late starts where the other has six, adopted first by those on slow networks; or a CDN with them.
    static func fasterOnSlowNetworks() -> KnownWorld {
        var world = KnownWorld(seed: 53)
        for day in 0..<7 {
            for number in 0..<200 {
                let isNew = number % 2 == 0
                var visit = Visit(day: day, hour: world.hour())
                visit.network = world.isTrue(isNew ? 0.75 : 0.25) ? "cellular" : "wifi"
                (visit.version, visit.cdn) = isNew ? ("5.3.0", "birch") : ("5.2.0", "apricot")
                visit.late = (visit.network == "cellular" ? 0.45 : 0.06) * (isNew ? 0.66 : 1)
                world.add(visit)
            }
        }
        return world
    }

    /// Six hours in which one region's plays on cellular fail with one code, on the last of five Saturdays.
    static func incident() -> KnownWorld {
        var world = KnownWorld(seed: 1001)
        for day in [6, 13, 20, 27, 34] {
            for _ in 0..<450 {
                var visit = Visit(
                    day: day, hour: Int.random(in: 0..<24, using: &world.random),
                    region: world.any(["eu-west", "us-east", "ap-south"]))
                visit.network = world.isTrue(0.4) ? "cellular" : "wifi"
                visit.version = world.any(["5.2.0", "5.3.0"])
                if day == 34, visit.region == "ap-south", visit.network == "cellular", (10..<16).contains(visit.hour) {
                    (visit.failure, visit.code) = (0.5, "NSURLErrorDomain#-1001")
                }
                world.add(visit)
            }
        }
        return world
    }

    /// Three times as many failures of viewers who were offline in one region.
    static func offline() -> KnownWorld {
        var world = KnownWorld(seed: 1009)
        for day in 0..<5 {
            for _ in 0..<150 {
                var visit = Visit(day: day, hour: world.hour(), region: world.any(["eu-west", "us-east", "ap-south"]))
                if visit.region == "ap-south" { (visit.failure, visit.code) = (0.06, "NSURLErrorDomain#-1009") }
                world.add(visit)
            }
        }
        return world
    }

    /// Days on which nothing is any different from those before, over regions, CDNs, networks and versions.
    static func quiet(days: Int) -> KnownWorld {
        var world = KnownWorld(seed: 20)
        for day in 0..<days {
            for _ in 0..<150 {
                var visit = Visit(day: day, hour: world.hour(), region: world.any(["eu-west", "us-east", "ap-south"]))
                visit.network = world.isTrue(0.4) ? "cellular" : "wifi"
                visit.cdn = world.any(["apricot", "birch"])
                visit.version = world.any(["5.2.0", "5.3.0"])
                visit.code = world.any(["CoreMediaErrorDomain#-12660", "NSURLErrorDomain#-1001", "decoder#1"])
                world.add(visit)
            }
        }
        return world
    }
}
