internal import CommandLineTool
internal import Foundation
internal import PlayFolding
internal import PlaybackEvents

/// Reading reports of players that speak CMCD, folding them into plays, and holding the plays that are open.
enum FoldPath {
    /// Holds open plays, and does nothing else.
    static let command = Command(
        "open-plays", summary: "holds open plays of players that speak CMCD, and tells what memory they take",
        options: [Option("plays", "N", initial: "100000", help: "How many.")])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let plays = try arguments.int("plays", in: 1...10_000_000) ?? 100_000
        let before = ProcessMemory.residentMiB
        var folder = PlayFolder()
        for report in SampleReports.steps {
            for play in 0..<plays { _ = folder.take(SampleReports.line(report, of: play), at: Int64(play)) }
        }
        let after = ProcessMemory.residentMiB
        guard folder.counters.open == plays else {
            throw PeerFailure(description: "\(folder.counters.open) of \(plays) plays are open")
        }
        print(after - before)
        return .success
    }

    static func measure(reports: Int, rounds: Int, plays: Int, into table: inout ResultTable) throws {
        let count = max(1, reports / SampleReports.steps.count)
        let texts = (0..<count).flatMap { play in SampleReports.steps.map { SampleReports.text($0, of: play) } }
        let lines = (0..<count).flatMap { play in SampleReports.steps.map { SampleReports.line($0, of: play) } }
        var taken = 0
        let times = try Rounds(
            rounds,
            [
                { for text in texts { taken += CMCDParser.parse(body: text).reports.count } },
                {
                    var folder = PlayFolder()
                    for (position, line) in lines.enumerated() { taken += folder.take(line, at: Int64(position)).count }
                    taken += folder.closeAll(receivedAt: SampleReports.start, at: Int64(lines.count)).count
                },
            ])
        guard taken == (texts.count + count) * (rounds + 1) else {
            throw PeerFailure(description: "reports or plays were lost")
        }
        let each = 1e9 / Double(texts.count)
        table.add("reading a report of CMCD", "\(figure(times.median(0) * each)) ns")
        table.add("folding it", "\(figure(times.median(1) * each)) ns")
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let output = try ChildRun(own, ["open-plays", "--plays", String(plays)]).output
        guard let held = Double(output.split(whereSeparator: \.isNewline).first ?? "") else {
            throw PeerFailure(description: "open-plays said \(output)")
        }
        table.add(
            "memory of \(plays) open plays of ten reports", "\(figure(held)) MiB",
            held * 100_000 / Double(plays), atMost: 64, "≤ 64 MiB for 100,000")
    }
}

/// Plays of a player like hls.js: its start, a stall, and heartbeats between.
private enum SampleReports {
    struct Step {
        var ms: Int64
        var number: Int
        var event: String
        var state: String
    }

    static let start: Int64 = 1_796_000_000_000

    static let steps: [Step] = [
        (0, "ps", "d"), (8, "t", "d"), (40, "ps", "s"), (80, "bc", "s"), (400, "bc", "s"), (980, "ps", "p"),
        (10_000, "t", "p"), (14_200, "ps", "r"), (15_900, "ps", "p"), (20_000, "t", "p"),
    ].enumerated().map { Step(ms: $1.0, number: $0, event: $1.1, state: $1.2) }

    static func text(_ step: Step, of play: Int) -> [UInt8] {
        let id = "0b0201a1-f4b3-4ffc-93bb-\(String(0x1_0000_0000_0000 + play, radix: 16).dropFirst())"
        return Array(
            ("bl=(9400),br=(\(step.ms < 400 ? 567 : 1_066)),cid=\"clip-\(play % 5_000)\",e=\(step.event),mtp=(4000),sf=h,"
                + "sid=\"\(id)\",sn=\(step.number),st=v,sta=\(step.state),ts=\(start + step.ms + Int64(play % 997)),v=2\n")
                .utf8)
    }

    static func line(_ step: Step, of play: Int) -> ReportLine {
        var line = ReportLine(
            receivedAt: start + step.ms + Int64(play % 997) + 35,
            requestId: Identifier128(high: UInt64(play), low: UInt64(step.number)))
        line.context.cdn = Array("fastly".utf8)
        line.context.cdnRegion = Array("eu-west".utf8)
        line.reports = CMCDParser.parse(body: text(step, of: play)).reports
        return line
    }
}
