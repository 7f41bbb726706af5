import PlayFolding
import PlaybackEvents
import TestSupport
import Testing

@Suite("Recordings that come in another way")
struct RecordingOrderTests {
    /// The reports one by one, with the line that brought each.
    private static func reports(of lines: [ReportLine]) -> [(line: ReportLine, report: CMCDReport)] {
        lines.flatMap { line in line.reports.map { (line, $0) } }
    }

    /// Puts reports into batches of one to seven, received one after the other.
    private static func batched(
        _ reports: [(line: ReportLine, report: CMCDReport)], using random: inout SeededGenerator
    ) -> [ReportLine] {
        let last = reports.map(\.line.receivedAt).max() ?? 0
        var lines: [ReportLine] = []
        var position = 0
        while position < reports.count {
            let end = min(position + Int.random(in: 1...7, using: &random), reports.count)
            var line = reports[position].line
            line.receivedAt = last + Int64(lines.count)
            line.reports = reports[position..<end].map(\.report)
            lines.append(line)
            position = end
        }
        return lines
    }

    @Test("make the same plays shuffled, doubled and in ten other batchings", arguments: Recording.names)
    func shuffled(name: String) throws {
        let lines = try Recording(name).lines()
        let expected = lines.folded().map(\.figures).sorted()
        let reports = Self.reports(of: lines)
        var random = SeededGenerator(seed: 22)
        for batching in 0..<10 {
            let doubled = reports + (batching % 2 == 0 ? reports.filter { _ in Bool.random(using: &random) } : [])
            let again = Self.batched(doubled.shuffled(using: &random), using: &random)
            #expect(again.folded().map(\.figures).sorted() == expected)
            let inOrder = Self.batched(reports, using: &random)
            #expect(inOrder.folded().map(\.figures).sorted() == expected)
        }
    }

    @Test("make the same plays by clocks that are eight hours off", arguments: [-8, 8] as [Int64])
    func otherClock(hours: Int64) throws {
        for name in Recording.names {
            let lines = try Recording(name).lines()
            let plays = lines.folded()
            let moved = lines.map { line in
                var line = line
                for index in line.reports.indices { line.reports[index].ts += hours * 3_600_000 }
                return line
            }
            let again = moved.folded()
            #expect(again.map { $0.figures.dropFirst(36) } == plays.map { $0.figures.dropFirst(36) })
            #expect(again.map(\.play.endedAt) == plays.map(\.play.endedAt))
        }
    }

    @Test(
        "never have a stall, a failure or a wrong startup made up where any one report is missing",
        arguments: Recording.names
    )
    func withoutOne(name: String) throws {
        let recording = try Recording(name)
        let lines = recording.lines()
        let plays = lines.folded()
        let startups = plays.compactMap(\.play.startupMs) + recording.truth.compactMap(\.startupMs)
        let reports = recording.reports.sorted { ($0.ts, $0.sn ?? 0) < ($1.ts, $1.sn ?? 0) }
        for (position, missing) in reports.enumerated() {
            let fewer = lines.map { line in
                var line = line
                line.reports.removeAll { $0 == missing }
                return line
            }
            let others = fewer.folded()
            let lost = reports[min(position + 1, reports.count - 1)].ts - reports[max(position - 1, 0)].ts
            func sum(_ plays: [ClosedPlay], _ count: (ClosedPlay) -> Int64) -> Int64 {
                plays.reduce(0) { $0 + count($1) }
            }
            #expect(sum(others) { $0.play.stalls } <= sum(plays) { $0.play.stalls }, "without \(missing.sn ?? -1)")
            #expect(
                sum(others) { $0.play.stalledMs } <= sum(plays) { $0.play.stalledMs }, "without \(missing.sn ?? -1)")
            #expect(
                sum(others) { $0.error == nil ? 0 : 1 } <= sum(plays) { $0.error == nil ? 0 : 1 },
                "without \(missing.sn ?? -1)")
            for startup in others.compactMap(\.play.startupMs) {
                let error = startups.map { abs($0 - startup) }.min() ?? .max
                #expect(error <= lost, "without \(missing.sn ?? -1)")
            }
        }
    }
}
