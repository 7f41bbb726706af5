internal import CommandLineTool
internal import Foundation
internal import Platform

/// `qoe-benchmarks clickhouse`: reports from ClickHouse against the engine's own figures, and from two shards against one.
enum ClickHouseBenchmark {
    static let command = Command(
        "clickhouse",
        summary:
            "loads plays into the engines that .make/clickhouse has started, and sets reports against the engines' own",
        options: IngestBenchmark.toolOptions + [
            Option("plays", "N", initial: "10000000", help: "How many; a tenth of them is measured, too."),
            Option("rounds", "N", initial: "3", help: "Rounds, of which the median counts."),
            Option(
                "engines", "DIR", environment: "QOE_ENGINES", help: "The folder of the engines that run."),
        ])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        guard let engines = arguments.text("engines").flatMap(Engines.init) else {
            throw CommandError(.usage, "clickhouse needs engines: .make/clickhouse run qoe-benchmarks clickhouse")
        }
        var table = ResultTable()
        let rounds = try arguments.int("rounds", in: 1...100) ?? 3
        let plays = try arguments.int("plays", in: 500...1_000_000_000) ?? 10_000_000
        let tools = IngestBenchmark.tools(arguments)
        for count in [plays / 10, plays] {
            let folder = try WorkFolder(in: tools.workFolder)
            _ = try GrowingStore(in: folder.path, SampleLog(sessionPlays: 8)).grow(to: count)
            let data = FedStore(data: folder.path, tools: tools, engines: engines)
            if engines.ports["chdb"] != nil { try data.measureToday(count, rounds: rounds, into: &table) }
            if engines.ports["http1"] != nil { try data.measureShards(count, rounds: rounds, into: &table) }
        }
        print(table.markdown)
        return .success
    }
}

/// The engines that `.make/clickhouse` has started.
private struct Engines {
    let folder: String
    let ports: [String: UInt16]

    init?(_ folder: String) {
        guard let text = try? String(contentsOfFile: folder + "/ports", encoding: .utf8) else { return nil }
        self.folder = folder
        ports = Dictionary(
            text.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: "=")
                return parts.count == 2 ? UInt16(parts[1]).map { (String(parts[0]), $0) } : nil
            }, uniquingKeysWith: { $1 })
    }

    /// What processors have done for a node so far, in seconds.
    func processorSeconds(ofNode number: Int) throws -> Double {
        let pid = try String(contentsOfFile: "\(folder)/node\(number)/pid", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // After the name: field 3 is the first, 14 and 15 are the ticks in user and system mode.
        let fields = (text.lastIndex(of: ")").map { text[text.index(after: $0)...] } ?? "").split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw PeerFailure(description: "node \(number) is gone")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

/// A data directory whose plays go into stores of ClickHouse.
private struct FedStore {
    let data: String
    let tools: PeerTools
    let engines: Engines

    /// The engine's own percentiles and sums over the same plays, each once.
    private static let ownQuery = """
        SELECT cdn_region, count(), quantilesExact(0.5, 0.95)(startup_ms), sum(watched_ms), sum(stalled_ms), sum(stalls)
        FROM plays GROUP BY cdn_region ORDER BY cdn_region FORMAT TSV
        """

    /// Makes a store, fills it, and lets go of it in the end.
    private func fill<Result>(_ hosts: [String], cluster: String?, _ body: (String, String) throws -> Result) throws
        -> Result
    {
        let database = "qoe_bench_" + UUID().uuidString.prefix(8).lowercased()
        let addresses = hosts.compactMap { engines.ports[$0] }.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        let store = "clickhouse://\(addresses)/\(database)" + (cluster.map { "?cluster=\($0)" } ?? "")
        let program = try tools.program("qoe")
        defer { for host in hosts { _ = try? query("DROP DATABASE IF EXISTS \(database)", host, "default") } }
        _ = try ChildRun(program, ["store", "create", "--store", store])
        _ = try ChildRun(program, ["rebuild", "--data", data, "--store", store])
        return try body(store, database)
    }

    private func query(_ sql: String, _ host: String, _ database: String) throws -> ChildRun {
        try ChildRun(
            "/usr/bin/curl",
            [
                "--fail", "--silent", "--show-error", "--data-binary", sql,
                "http://127.0.0.1:\(engines.ports[host] ?? 0)/?database=\(database)",
            ])
    }

    private func report(_ store: String, _ options: [String] = []) throws -> ChildRun {
        let folder = try WorkFolder(in: tools.workFolder)
        return try ChildRun(
            try tools.program("qoe"),
            [
                "report", "--data", data, "--store", store, "--metric", "all", "--format", "csv", "--output",
                folder.path + "/csv",
            ]
                + options)
    }

    func measureToday(_ plays: Int, rounds: Int, into table: inout ResultTable) throws {
        try fill(["chdb"], cluster: nil) { store, database in
            var reports: [ChildRun] = []
            var own: [Double] = []
            for _ in 0..<rounds {
                reports.append(try report(store))
                own.append(try query(Self.ownQuery, "chdb", database).seconds)
            }
            let ratio = zip(reports, own).map { $0.seconds / $1 }.median
            let memory = reports.map(\.peakMiB).max() ?? 0
            let name = "ClickHouse of today, \(figure(Double(plays))) plays"
            table.add(
                "every metric, \(name)",
                "\(figure(reports.map(\.seconds).median)) s, \(figure(ratio)) × the engine's own percentiles and sums"
                    + " (\(figure(own.median)) s)", ratio, atMost: 3, "≤ 3 ×")
            table.add("memory here, \(name)", "\(figure(memory)) MiB", memory, atMost: 256, "≤ 256 MiB")
        }
    }

    func measureShards(_ plays: Int, rounds: Int, into table: inout ResultTable) throws {
        /// The most that processors of one node did for a report, and the most memory here.
        func measure(_ hosts: [String], _ cluster: String?) throws -> (seconds: Double, memory: Double) {
            try fill(hosts, cluster: cluster) { store, _ in
                _ = try report(store)
                var seconds: [Double] = []
                var memory = 0.0
                for _ in 0..<rounds {
                    let before = try (1...hosts.count).map(engines.processorSeconds)
                    memory = max(memory, try report(store).peakMiB)
                    let after = try (1...hosts.count).map(engines.processorSeconds)
                    seconds.append(zip(before, after).map { $1 - $0 }.max() ?? 0)
                }
                return (seconds.median, memory)
            }
        }
        let one = try measure(["http1"], nil)
        let two = try measure(["http1", "http2"], "two")
        let name = "ClickHouse 18.16, \(figure(Double(plays))) plays"
        table.add(
            "processor time of a shard, one against two, \(name)",
            "\(figure(one.seconds)) s against \(figure(two.seconds)) s, \(figure(one.seconds / two.seconds)) ×",
            one.seconds / two.seconds, atLeast: 1.6, "≥ 1.6 ×")
        table.add(
            "memory here, \(name)", "\(figure(two.memory)) MiB from two shards, \(figure(one.memory)) from one",
            two.memory, atMost: 256, "≤ 256 MiB")
    }
}
