internal import CommandLineTool
internal import Foundation

/// `qoe-benchmarks ingest`: the whole endpoint against what people would use instead.
enum IngestBenchmark {
    static let toolOptions = [
        Option(
            "peers", "DIR", initial: "Sources/qoe-benchmarks/Peers", help: "The folder of the peers' sources."),
        Option(
            "python", "DIR",
            help:
                "The folder of Python's programs in an environment with the peers' packages; without it no peer in Python."
        ),
        Option("work", "DIR", help: "Where data directories are made: on the disk that is to be measured."),
    ]

    static let command = Command(
        "ingest", summary: "sets the endpoint against servers in Python and nginx, in rounds that take turns",
        options: toolOptions + [
            Option("rounds", "N", initial: "5", help: "Rounds, of which the median counts."),
            Option("seconds", "N", initial: "3", help: "How long each load is counted."),
            Option(
                "servers", "NAME,…", initial: "ours,tuned,plain,nginx", help: "Which servers take part."),
        ])

    static func tools(_ arguments: Arguments) -> PeerTools {
        let python = arguments.text("python").map { URL(fileURLWithPath: $0).path }
        return PeerTools(
            sources: URL(fileURLWithPath: arguments.text("peers") ?? "").path, python: python,
            workFolder: arguments.text("work").map { URL(fileURLWithPath: $0).path })
    }

    static func run(_ arguments: Arguments) throws -> ExitCode {
        var kinds: [ServerKind] = []
        for name in (arguments.text("servers") ?? "").split(separator: ",") {
            guard let kind = ServerKind(rawValue: String(name)) else {
                throw arguments.fault("servers", "should name some of ours, tuned, plain and nginx")
            }
            kinds.append(kind)
        }
        let seconds = Double(try arguments.int("seconds", in: 1...600) ?? 3)
        var rounds = IngestRounds(tools: tools(arguments), seconds: seconds)
        try rounds.run(try arguments.int("rounds", in: 1...1_000) ?? 5, of: kinds) { StandardError.write($0) }
        print(table(rounds, kinds).markdown)
        return .success
    }

    static func table(_ rounds: IngestRounds, _ kinds: [ServerKind]) -> ResultTable {
        var table = ResultTable()
        for kind in kinds {
            let burst = rounds.median(kind) { $0.burst.eventsPerSecond }
            let sustained = rounds.median(kind) { $0.sustained.eventsPerSecond }
            let p99 = rounds.median(kind) { $0.sustained.load.latency(percent: 99) }
            var words =
                "burst \(figure(burst)) events/s, sustained \(figure(sustained)) with p99 \(figure(p99)) ms"
            if kind != .nginx {
                words += "; single events \(figure(rounds.median(kind) { $0.single?.eventsPerSecond ?? 0 }))/s"
            }
            table.add("202s of \(kind.rawValue)", words + "; \(figure(rounds.median(kind) { $0.laterPeakMiB })) MiB")
        }
        guard kinds.contains(.ours) else { return table }
        let goals: [(ServerKind, String, Double, (IngestRounds.Round) -> Double)] = [
            (.tuned, "burst", 8, { $0.burst.eventsPerSecond }),
            (.tuned, "sustained", 5, { $0.sustained.eventsPerSecond }),
            (.plain, "sustained", 8, { $0.sustained.eventsPerSecond }),
            (.nginx, "sustained", 0.35, { $0.sustained.eventsPerSecond }),
            (.tuned, "single events", 6, { $0.single?.eventsPerSecond ?? 0 }),
        ]
        for (peer, what, goal, value) in goals where kinds.contains(peer) {
            let ratio = rounds.ratio(to: peer, value)
            table.add(
                "\(what), ours against \(peer.rawValue)", "\(figure(ratio)) ×", ratio, atLeast: goal,
                "≥ \(figure(goal)) ×")
        }
        let latency = rounds.median(.ours) { $0.sustained.load.latency(percent: 99) }
        table.add("p99 of a sustained load", "\(figure(latency)) ms", latency, atMost: 50, "< 50 ms")
        let single = rounds.median(.ours) { $0.single?.latency(percent: 99) ?? 0 }
        table.add("p99 of single events", "\(figure(single)) ms", single, atMost: 150, "≤ 150 ms")
        let ordinary = rounds.median(.ours) { $0.ordinary?.requestsPerSecond ?? 0 }
        let keyed = rounds.median(.ours) { ($0.keyed?.requestsPerSecond ?? 0) / ($0.ordinary?.requestsPerSecond ?? 1) }
        table.add("ordinary traffic, one to three events a request", "\(figure(ordinary)) requests/s")
        table.add("the same with a key, against without", "\(figure(keyed)) ×", keyed, atLeast: 0.9, "≥ 0.9 ×")
        let players = rounds.median(.ours) { $0.reports?.requestsPerSecond ?? 0 }
        let share = rounds.median(.ours) {
            ($0.reports?.requestsPerSecond ?? 0) / ($0.ordinary?.requestsPerSecond ?? 1)
        }
        table.add(
            "players that speak CMCD, five reports a request",
            "\(figure(players)) requests/s (\(figure(5 * players)) reports/s), \(figure(share)) × of those",
            share, atLeast: 0.33, "≥ a third of those")
        let sync = rounds.median(.ours) { $0.meanSyncMs ?? 0 }
        table.add("a sync of ours to the disk meanwhile, in the mean", "\(figure(sync)) ms")
        let peak = rounds.median(.ours) { $0.laterPeakMiB }
        let earlier = rounds.median(.ours) { $0.peakMiB }
        table.add(
            "memory of the server", "\(figure(peak)) MiB at most (\(figure(earlier)) after the first load)", peak,
            atMost: 128, "≤ 128 MiB resident")
        return table
    }
}
