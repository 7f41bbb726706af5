import Testing

@testable import Reports

@Suite("The hours of a bad day")
struct WorstHoursTests {
    /// Sessions of twenty plays with so many failures, hour by hour.
    private static let hours: [[Int64]] = [
        [0, 1], [1, 0], [0, 1], [4, 5, 3], [6, 5, 4], [1, 0], [0, 1], [0, 0],
    ]

    @Test("are the run with the most beyond the middle of both rates, told when it differs from the rest of the day")
    func worked() {
        let counts = Self.hours.map { (base: Double($0.count * 20), events: Double($0.reduce(0, +))) }
        let run = WorstHours.run(counts, reference: 0.03)
        #expect(run == 3...4)
        #expect(WorstHours.runs(of: counts.count) == 26)
        var parts = RunParts()
        for (hour, sessions) in Self.hours.enumerated() {
            for failures in sessions {
                if run?.contains(hour) == true {
                    parts.inside.add(x: 20, y: failures)
                } else {
                    parts.outside.add(x: 20, y: failures)
                }
            }
        }
        #expect(parts.differs(runs: 26))
        // 26 · P(Z ≥ 16.333 ÷ 5) is 0.0141: among ninety runs it would be too much.
        #expect(parts.differs(runs: 91))
        #expect(!parts.differs(runs: 93))
    }

    @Test("are none where every hour is the same, and of one hour alone")
    func none() {
        #expect(WorstHours.runs(of: 1) == 0)
        #expect(WorstHours.run([(base: 20, events: 9)], reference: 0) == nil)
        #expect(WorstHours.run([], reference: 0) == nil)
        var parts = RunParts()
        parts.inside.add(x: 10, y: 1)
        parts.outside.add(x: 10, y: 1)
        #expect(!parts.differs(runs: 1))
    }

    @Test("take of equal runs the earliest, then the shortest")
    func equal() {
        let hours = [0.0, 2, 0, 0, 2, 0].map { (base: 10.0, events: $0) }
        #expect(WorstHours.run(hours, reference: 4.0 / 60) == 1...1)
    }
}

@Suite("Error classes")
struct ErrorClassesTests {
    @Test("go by the whole code, then by the longest beginning, and a table of one's own comes first")
    func kinds() throws {
        let standard = ErrorClasses.standard
        #expect(standard.kind(of: "NSURLErrorDomain#-1009") == .offline)
        #expect(standard.kind(of: "NSURLErrorDomain#-1001") == .cdn)
        #expect(standard.kind(of: "AVFoundationErrorDomain#-11835") == .drm)
        #expect(standard.kind(of: "AVFoundationErrorDomain#-11833") == .decoder)
        #expect(standard.kind(of: "AVFoundationErrorDomain#-11800") == .other)
        let own = try ErrorClasses(table: "# ours\nNSURLErrorDomain#-1009 cdn\nAV* app\n\n")
        #expect(own.kind(of: "NSURLErrorDomain#-1009") == .cdn)
        #expect(own.kind(of: "AVFoundationErrorDomain#-11800") == .app)
        #expect(own.kind(of: "AVFoundationErrorDomain#-11835") == .drm)
        #expect(
            throws: ReportRequestError(
                "line 2 of the error classes should be CODE CLASS, the class one of offline, cdn, drm, decoder, app, other"
            )
        ) {
            try ErrorClasses(table: "x cdn\ny")
        }
    }
}
