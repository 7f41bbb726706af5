internal import CommandLineTool
internal import Foundation
internal import Platform

/// `qoe-benchmarks load`: a load on a server that runs already.
enum LoadBenchmark {
    static let command = Command(
        "load", summary: "sends batches of plays to a server and counts its answers",
        options: [
            Option(
                "url", "URL", initial: "http://127.0.0.1:8080/v1/playback-events", help: "Where to, on this machine."),
            Option("connections", "N", initial: "32", help: "Connections at a time, each with one request under way."),
            Option("threads", "N", initial: "1", help: "Threads that drive them."),
            Option("events", "N", initial: "50", help: "Events in a request."),
            Option("key", "KEY", help: "A write key that goes along."),
            Option("form", "FORM", initial: "full", help: "Events with every field (full) or few (small)."),
            Option("seconds", "N", initial: "5", help: "How long answers are counted, after half a second."),
            Option("seed", "N", help: "Begins the identifiers; without it they are new every time."),
        ])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        guard let url = URL(string: arguments.text("url") ?? ""), let host = url.host,
            ["127.0.0.1", "localhost"].contains(host), let port = UInt16(exactly: url.port ?? 80)
        else { throw arguments.fault("url", "should be an http URL on 127.0.0.1") }
        guard let form = SampleBody.Form(rawValue: arguments.text("form") ?? "") else {
            throw arguments.fault("form", "should be full or small")
        }
        let events = try arguments.int("events", in: 1...1_000) ?? 50
        let seed = try arguments.int("seed", in: 0...Int.max).map(UInt64.init) ?? SystemClock.monotonic
        var plan = LoadPlan(
            port: port,
            requests: RequestTemplate.several(
                events: events, form: form, path: url.path, key: arguments.text("key"), seed: seed))
        plan.connections = try arguments.int("connections", in: 1...10_000) ?? 32
        plan.threads = try arguments.int("threads", in: 1...64) ?? 1
        plan.seconds = Double(try arguments.int("seconds", in: 1...3_600) ?? 5)
        plan.seed = seed
        let result = try LoadGenerator.run(plan)
        let latencies = [50, 95, 99, 99.9].map { "p\($0) \(String(format: "%.2f", result.latency(percent: $0))) ms" }
        print(
            "\(Int(result.eventsPerSecond)) events/s, \(Int(result.requestsPerSecond)) requests/s, "
                + "\(latencies.joined(separator: ", "))")
        for (status, count) in result.answers.sorted(by: { $0.key < $1.key }) {
            print(status == 0 ? "no answer: \(count)" : "\(status): \(count)")
        }
        return result.refused == 0 ? .success : .unavailable
    }
}
