import TestSupport
import Testing

@Suite("The benchmarks")
struct BenchmarksTests {
    private static let program = BuiltProgram("qoe-benchmarks")

    /// The first cells of the table's rows.
    private func rows(_ arguments: [String]) throws -> [String] {
        let result = try Self.program.run(arguments)
        try #require(result.status == 0, "\(arguments): \(result.errors)")
        return result.output.split(separator: "\n").dropFirst(2).compactMap { line in
            line.split(separator: "|").first.map { $0.drop { $0 == " " } }.map { String($0.prefix { $0 != "," }) }
        }
    }

    @Test("measure every hot path, in the smallest size too")
    func paths() throws {
        let rows = try rows(["paths", "--requests", "2", "--rounds", "1", "--plays", "50"])
        for row in [
            "decode and validate", "writing the archive", "compressing a line", "group commit", "record()",
            "judging its key", "reading a report of CMCD", "folding it", "memory of 50 open plays",
        ] {
            #expect(rows.contains { $0.hasPrefix(row) }, "\(rows)")
        }
    }

    @Test("load plays, and report on them")
    func reports() throws {
        let rows = try rows(["report", "--plays", "500", "--growth", "2", "--rounds", "1"])
        for row in [
            "follow", "database", "report over", "memory of that report", "report on the day", "start with",
            "export after", "500",
        ] {
            #expect(rows.contains { $0.hasPrefix(row) }, "\(rows)")
        }
    }

    @Test("fill a store with days, and ask it for what a team asks day by day")
    func years() throws {
        let rows = try rows(
            ["years", "--days", "2", "--plays-per-day", "500", "--sessions", "8", "--rounds", "1"])
        for row in [
            "loading", "database", "every metric of all plays", "its memory", "the summary of one day",
            "every metric of that day", "the page of seven days", "export from nothing",
        ] {
            #expect(rows.contains(row), "\(rows)")
        }
    }

    @Test("load plays with columns and without")
    func follow() throws {
        let rows = try rows(["follow", "--plays", "500", "--rounds", "1"])
        for row in ["follower", "the same against rows alone", "columns of every field", "columns of the fields"] {
            #expect(rows.contains { $0.hasPrefix(row) }, "\(rows)")
        }
    }

    @Test("tell what days of ordinary traffic take")
    func days() throws {
        let rows = try rows(["days", "--days", "3", "--plays-per-day", "300", "--rounds", "1"])
        #expect(rows.map { $0.filter { $0 != " " } } == ["1", "3"])
    }

    @Test("ask for the last minutes of a day and for sessions")
    func window() throws {
        let rows = try rows(["window", "--plays", "5000", "--rounds", "1"])
        for row in ["summary of the last 15 minutes", "qoe plays --session"] {
            #expect(rows.contains { $0.hasPrefix(row) }, "\(rows)")
        }
    }

    @Test("send requests at a steady rate, alone and beside reports and exports")
    func beside() throws {
        let rows = try rows(["beside", "--plays", "3000", "--rate", "50", "--seconds", "1"])
        #expect(rows.count == 5 && rows.allSatisfy { $0.hasPrefix("50.0 requests/s") }, "\(rows)")
    }

    @Test("put a load on the endpoint, and find every play in its database")
    func ingest() throws {
        let rows = try rows(["ingest", "--servers", "ours", "--rounds", "1", "--seconds", "1"])
        for row in ["202s of ours", "ordinary traffic", "the same with a key"] {
            #expect(rows.contains { $0.hasPrefix(row) }, "\(rows)")
        }
    }
}
