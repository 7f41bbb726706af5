internal import CommandLineTool
internal import Foundation
internal import Platform
internal import Synchronization

/// `qoe-benchmarks beside`: how long ordinary requests wait while others read a month and export all of it.
enum BesideBenchmark {
    static let command = Command(
        "beside",
        summary: "sends ordinary requests at a steady rate, alone and beside reports over a month and exports",
        options: IngestBenchmark.toolOptions + [
            Option("plays", "N", initial: "6000000", help: "Plays of thirty days that are there."),
            Option("rate", "N", initial: "200", help: "Requests a second, of one to three events, with a key."),
            Option(
                "seconds", "N", initial: "15", help: "How long each is counted; what is beside begins anew until then."),
        ])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        var table = ResultTable()
        try measure(
            plays: try arguments.int("plays", in: 50...1_000_000_000) ?? 6_000_000,
            rate: Double(try arguments.int("rate", in: 1...100_000) ?? 200),
            seconds: Double(try arguments.int("seconds", in: 1...3_600) ?? 15), IngestBenchmark.tools(arguments),
            into: &table)
        print(table.markdown)
        return .success
    }

    static func measure(
        plays: Int, rate: Double, seconds: Double, _ tools: PeerTools, into table: inout ResultTable
    ) throws {
        let folder = try WorkFolder(in: tools.workFolder)
        let store = GrowingStore(in: folder.path, SampleLog(sessionPlays: 8, playsPerDay: max(1, plays / 30)))
        _ = try store.grow(to: plays)
        let server = try ServerUnderLoad(.ours, tools, data: folder.path, keys: AccessPath.keyFile)
        let besides = Besides(data: folder.path, port: server.port, tools: tools)
        let name = "\(figure(rate)) requests/s with a key"
        let all = [besides.overHTTP, besides.report, besides.export]
        let rows: [(name: String, works: [Besides.Work])] = [
            ("alone", []), ("beside a month's report over HTTP", [besides.overHTTP]),
            ("beside qoe report on all", [besides.report]), ("beside qoe export from nothing", [besides.export]),
            ("beside all three", all),
        ]
        // Once for what the system keeps of files in memory.
        for work in all { try work() }
        var load = SteadyLoad(
            port: server.port,
            requests: RequestTemplate.several(63, events: 1...3, form: .full, key: AccessPath.key),
            requestsPerSecond: rate)
        for (row, works) in rows {
            load.seed = SystemClock.monotonic
            let (result, times) = try Besides.run(works, beside: load, seconds: seconds)
            guard result.refused == 0 else { throw PeerFailure(description: "\(row): answered \(result.answers)") }
            let p99 = result.latency(percent: 99)
            var text =
                "p50 \(figure(result.latency(percent: 50))) ms, p99 \(figure(p99)) ms, at most"
                + " \(figure(result.latency(percent: 100))) ms"
            if !works.isEmpty { text += "; that came to its end \(times) times" }
            table.add(
                "\(name), \(row)", text, p99, atMost: works.isEmpty ? 50 : 100, works.isEmpty ? "< 50 ms" : "≤ 100 ms")
        }
    }
}

/// What is done beside a load, again and again.
private struct Besides: Sendable {
    typealias Work = @Sendable () throws -> Void

    let overHTTP: Work
    let report: Work
    let export: Work

    init(data: String, port: UInt16, tools: PeerTools) {
        overHTTP = {
            let days = "from=2026-11-01&to=2026-11-30"
            let text = try LocalHTTP.get("/v1/reports/summary.csv?\(days)&by=day,cdnRegion", port: port)
            guard text.hasPrefix("period,") else { throw PeerFailure(description: "a report said \(text.prefix(200))") }
        }
        report = { _ = try ReportRounds(data: data, tools: tools).report(["--by", "day,cdnRegion"]) }
        export = {
            let folder = try WorkFolder(in: tools.workFolder)
            // As the sample timer runs it.
            _ = try ChildRun(
                "nice",
                ["-n", "10", try tools.program("qoe"), "export", "--data", data, "--output", folder.path + "/csv"])
        }
    }

    /// - Returns: what came of the load, and how often a work came to its end while it went on.
    static func run(_ works: [Work], beside load: SteadyLoad, seconds: Double) throws -> (LoadResult, times: Int) {
        let end = Flag()
        let times = Mutex(0)
        let faults = Mutex<[any Error]>([])
        let result = Mutex(LoadResult())
        let sender = try SystemThread(name: "load") { @Sendable in
            do {
                let sent = try load.run(until: end)
                result.withLock { $0 = sent }
            } catch {
                faults.withLock { $0.append(error) }
            }
        }
        let until = SystemClock.monotonic + UInt64(seconds * 1e9)
        let workers = try works.map { work in
            try SystemThread(name: "beside") { @Sendable in
                while SystemClock.monotonic < until {
                    do {
                        try work()
                        times.withLock { $0 += 1 }
                    } catch {
                        return faults.withLock { $0.append(error) }
                    }
                }
            }
        }
        while SystemClock.monotonic < until { usleep(10_000) }
        // A work that takes longer than the time is not cut short.
        for worker in workers { worker.join() }
        end.raise()
        sender.join()
        if let fault = faults.withLock({ $0.first }) { throw fault }
        return (result.withLock { $0 }, times.withLock { $0 })
    }
}
