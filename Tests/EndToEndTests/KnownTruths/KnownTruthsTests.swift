import Foundation
import TestSupport
import Testing

@Suite("Of plays of which the truth is known")
struct KnownTruthsTests {
    /// A loaded world.
    private struct Loaded {
        let folder: TemporaryFolder
        let qoe = BuiltProgram("qoe")

        init(_ world: KnownWorld) throws {
            folder = try TemporaryFolder()
            let text = world.lines.joined(separator: "\n") + "\n"
            try text.write(toFile: folder.path("plays.ndjson"), atomically: false, encoding: .utf8)
            _ = try done("load", ["--any-time", folder.path("plays.ndjson")])
        }

        @discardableResult
        func done(_ command: String, _ words: [String]) throws -> String {
            let result = try qoe.run([command, "--data", folder.path("data")] + words)
            try #require(result.status == 0, "\(command) \(words): \(result.errors)")
            return result.output
        }

        /// The text without its line breaks.
        func report(_ words: [String]) throws -> String {
            try done("report", words).split { $0.isWhitespace }.joined(separator: " ")
        }

        func page(_ words: [String]) throws -> String {
            try done("report", words + ["--format", "html"]).replacing(/<[^>]+>/, with: "")
        }
    }

    /// Where two tables differ by more than a last digit.
    private static func differences(_ actual: String, _ expected: String) -> [String] {
        let rows = { (text: String) in
            text.split { $0.isNewline }.map {
                $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
        }
        let (actual, expected) = (rows(actual), rows(expected))
        guard actual.count == expected.count else { return ["\(actual.count) lines, not \(expected.count)"] }
        return zip(actual, expected).flatMap { one, other -> [String] in
            guard one.count == other.count else { return ["\(one) is not \(other)"] }
            return zip(one, other).filter { cell, answer in
                if cell == answer { return false }
                guard let cell = Double(cell), let answer = Double(answer) else { return true }
                return abs(cell - answer) > max(1.0001e-6, abs(answer) * 1e-7)
            }.map { "\(one.prefix(3)): \($0) instead of \($1)" }
        }
    }

    @Test("a region that is worse from the eighth day on is accused, with that day, by text, page and files")
    func region() throws {
        let world = try Loaded(.regionWorseFromDayEight())
        let week = ["--from", "2026-11-08", "--to", "2026-11-14"]
        let text = try world.report(week)
        #expect(text.contains("ap-south is worse than in the week before, since 8 November: "))
        #expect(text.contains(" times as many failures, "))
        #expect(text.contains("ap-south is worse than all others together"))
        #expect(!text.contains("eu-west is worse") && !text.contains("us-east is worse"))
        let page = try world.page(week)
        #expect(page.contains("ap-south is worse than in the week before, since 8 November: "))
        let csv = try world.done("report", week + ["--compare", "previous", "--format", "csv"])
        #expect(
            csv.split { $0.isNewline }.count { $0.contains("ap-south,failure_ratio,") && $0.contains(",worse,") } == 1)
        // The week before has nothing before it, and nothing to accuse.
        #expect(!(try world.report(["--from", "2026-11-01", "--to", "2026-11-07"])).contains("is worse than"))
    }

    @Test(
        "a faster version, and a faster CDN, whose viewers sit on slower networks is not accused, and the mix is named")
    func mix() throws {
        let world = try Loaded(.fasterOnSlowNetworks())
        for (dimension, name, other) in [("appVersion", "5.3.0", "5.2.0"), ("cdn", "birch", "apricot")] {
            let words = ["--from", "2026-11-01", "--to", "2026-11-07", "--by", dimension]
            let text = try world.report(words)
            #expect(text.contains("\(name) is behind by late starts only because "), "\(text)")
            #expect(text.contains(" of its plays are cellular, against "))
            #expect(!text.contains("\(name) is worse than all others") && !text.contains("\(name) was worse"))
            #expect(try world.page(words).contains("\(name) is behind by late starts only because "))
            #expect(text.contains("\(other) is worse than all others together: ") || text.contains("at the same mix"))
            let csv = try world.done("report", words + ["--compare", "rest", "--adjust", "network", "--format", "csv"])
            let row = try #require(
                csv.split { $0.isNewline }.first { $0.contains(",\(name),startup_within_target_ratio,") })
            #expect(row.contains(",worse,network,") && row.hasSuffix(",better,2"), "\(row)")
        }
    }

    @Test("an incident of six hours is told with its code, network, region and hours, and nothing else is")
    func incident() throws {
        let world = try Loaded(.incident())
        let day = ["--day", "2026-12-05"]
        let text = try world.report(day + ["--changed"])
        let match = try #require(
            text.firstMatch(
                of:
                    /(\d+) of (\d+) failures of ap-south on 5 December are NSURLErrorDomain#-1001 \(CDN and HTTP\) on cellular, from (?:09|10|11):00 to 1[567]:00; the same weekdays before lead to expect 0/
            ), "\(text)")
        let (bad, all) = (try #require(Int(match.1)), try #require(Int(match.2)))
        #expect(bad >= 12 && all >= bad)
        // Where the region is asked for, all failures are the same ones.
        let region = try world.report(day + ["--changed", "--where", "cdnRegion=ap-south"])
        #expect(region.contains(" of \(all) failures on 5 December are NSURLErrorDomain#-1001"), "\(region)")
        #expect(text.components(separatedBy: "the same weekdays before lead to expect").count == 2, "\(text)")
        #expect(try world.page(day).contains("failures of ap-south on 5 December are NSURLErrorDomain#-1001"))
        let json = try world.done("report", day + ["--changed", "--format", "json"])
        #expect(json.contains(#""metric": "changed""#))
        #expect(json.contains(#""error_code": "NSURLErrorDomain#-1001", "error_class": "cdn""#))
        // A quiet day says that nothing is shown.
        #expect(
            try world.report(["--day", "2026-11-28", "--changed"]).contains(
                "Nothing is shown to have changed against the same weekdays before."))
    }

    @Test(
        "of twenty quiet days at least nineteen are said to have changed nothing",
        .enabled(if: ProcessInfo.processInfo.environment["QOE_SOAK"] != nil, "make soak runs it"))
    func quiet() throws {
        let world = try Loaded(.quiet(days: 48))
        let first = try #require(Self.day(KnownWorld.firstDay))
        let loud = try (28..<48).filter { day in
            let name = Self.name(first.addingTimeInterval(Double(day) * 86_400))
            return !(try world.report(["--day", name, "--changed"])).contains("Nothing is shown to have changed")
        }
        #expect(loud.count <= 1, "\(loud)")
    }

    private static let calendar = Date.ISO8601FormatStyle().year().month().day()
    private static func day(_ name: String) -> Date? { try? calendar.parse(name) }
    private static func name(_ day: Date) -> String { day.formatted(calendar) }

    @Test("failures of viewers who were offline accuse no region, unless a table of classes says otherwise")
    func offline() throws {
        let world = try Loaded(.offline())
        let words = ["--from", "2026-11-01", "--to", "2026-11-05"]
        let text = try world.report(words)
        #expect(
            text.contains(
                "ap-south has more failures than the others, but not without those of viewers who were offline."))
        #expect(!text.contains("ap-south is worse"))
        let table = world.folder.path("classes.txt")
        try "NSURLErrorDomain#-1009 cdn\n".write(toFile: table, atomically: false, encoding: .utf8)
        #expect(
            try world.report(words + ["--error-classes", table]).contains("ap-south is worse than all others together"))
        // Figures stay what they are.
        let csv = try world.done("report", words + ["--compare", "rest", "--format", "csv"])
        #expect(csv.contains(",worse,"))
        try "NSURLErrorDomain#-1009 nobody\n".write(toFile: table, atomically: false, encoding: .utf8)
        let refused = try world.qoe.run(
            ["report", "--data", world.folder.path("data"), "--error-classes", table])
        #expect(refused.status == 65 && refused.errors.contains("line 1 of the error classes should be CODE CLASS"))
    }

    @Test("every cell of the comparisons is what another program computes from the plays, session by session")
    func cells() throws {
        let world = try Loaded(.regionWorseFromDayEight())
        let script = Checkout.root.appendingPathComponent("Tests/EndToEndTests/KnownTruths/compare_plays.py").path
        let input = world.folder.path("plays.ndjson")
        func computed(_ words: [String]) throws -> String {
            let result = try BuiltProgram.run("python3", [script, input] + words)
            try #require(result.status == 0, "\(result.errors)")
            return result.output
        }
        let week = ["--from", "2026-11-08", "--to", "2026-11-14", "--format", "csv"]
        let rest = try world.done("report", week + ["--compare", "rest", "--adjust", "network"])
        #expect(
            Self.differences(
                rest, try computed(["rest", "cdnRegion", "--adjust", "network", "--period", "2026-11-08/2026-11-14"])
            )
            .isEmpty)
        try world.done("export", ["--output", world.folder.path("csv"), "--days", "2"])
        let previous = try String(contentsOfFile: world.folder.path("csv/compare_previous.csv"), encoding: .utf8)
        #expect(
            Self.differences(
                previous, try computed(["previous", "cdnRegion", "--by-day", "--period", "2026-11-13/2026-11-14"])
            )
            .isEmpty)
    }
}
