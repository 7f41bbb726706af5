internal import CommandLineTool
internal import Foundation
internal import Glibc
internal import Platform
internal import Synchronization

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

/// Runs a load on threads of its own.
enum LoadGenerator {
    /// - Throws: what the system said when a connection could not be made at the beginning.
    static func run(_ plan: LoadPlan) throws -> LoadResult {
        let start = SystemClock.monotonic
        let results = Mutex<[Result<LoadResult, any Error>]>([])
        let threads = try (0..<plan.threads).map { number in
            try SystemThread(name: "load") { @Sendable in
                let result = Result { try LoadThread(plan, number: number, start: start).run() }
                results.withLock { $0.append(result) }
            }
        }
        for thread in threads { thread.join() }
        var sum = LoadResult()
        for result in results.withLock({ $0 }) { sum.add(try result.get()) }
        return sum
    }
}

/// What is sent to a server, and for how long.
struct LoadPlan: Sendable {
    /// On 127.0.0.1.
    var port: UInt16
    var requests: [RequestTemplate]
    var connections = 32
    var threads = 1
    /// Seconds of sending before counting begins, and of counting.
    var warmUp = 0.5
    var seconds = 5.0
    var seed: UInt64 = 1
    /// While it says true, no new request is begun.
    var gate: LoadGate?
}

/// Holds the senders of a load back, for as long as somebody keeps it closed.
final class LoadGate: Sendable {
    private let closed = Atomic(false)

    var isClosed: Bool { closed.load(ordering: .relaxed) }

    func close(_ closes: Bool) {
        closed.store(closes, ordering: .relaxed)
    }
}

/// What came of a load.
struct LoadResult: Sendable {
    /// Answers by status, over the whole run; 0 counts requests that got none.
    var answers: [Int: Int] = [:]
    /// Events of requests that were answered 202, over the whole run.
    var acceptedEvents = 0
    /// The same, within the counted time.
    var countedEvents = 0
    var countedRequests = 0
    /// Bytes of requests within the counted time.
    var countedBytes = 0
    /// Seconds that were counted.
    var seconds = 0.0
    /// From the first byte sent to the last received, in µs, within the counted time.
    var latencies: [UInt32] = []

    mutating func add(_ other: LoadResult) {
        answers.merge(other.answers) { $0 + $1 }
        acceptedEvents += other.acceptedEvents
        countedEvents += other.countedEvents
        countedRequests += other.countedRequests
        countedBytes += other.countedBytes
        seconds = max(seconds, other.seconds)
        latencies += other.latencies
    }

    var eventsPerSecond: Double { seconds > 0 ? Double(countedEvents) / seconds : 0 }
    var requestsPerSecond: Double { seconds > 0 ? Double(countedRequests) / seconds : 0 }

    /// The latency that so many percent of the answers did not exceed, in ms (nearest rank).
    func latency(percent: Double) -> Double {
        guard !latencies.isEmpty else { return 0 }
        let sorted = latencies.sorted()
        let rank = Int((Double(sorted.count) * percent / 100).rounded(.up))
        return Double(sorted[min(max(rank, 1), sorted.count) - 1]) / 1_000
    }

    /// Answers that were neither 202 nor 204.
    var refused: Int { answers.reduce(0) { $0 + ([202, 204].contains($1.key) ? 0 : $1.value) } }
}

/// Drives some of a load's connections until the time is over.
private final class LoadThread {
    private let plan: LoadPlan
    private let connections: [LoadConnection]
    private var chance: SeededGenerator
    private var sockets: [pollfd]
    private var result = LoadResult()
    private var next = 0
    private var busy = 0
    /// Connections that wait for the gate to open.
    private var idle: [Int] = []
    private let countsFrom: UInt64
    private let end: UInt64

    /// - Parameter number: which of the plan's threads it is.
    init(_ plan: LoadPlan, number: Int, start: UInt64) throws {
        self.plan = plan
        chance = SeededGenerator(seed: plan.seed &* 1_000_003 &+ UInt64(number))
        let room = plan.requests.map(\.bytes.count).max() ?? 0
        let mine = (plan.connections + plan.threads - 1 - number) / plan.threads
        connections = (0..<mine).map { _ in LoadConnection(port: plan.port, room: room) }
        sockets = [pollfd](repeating: pollfd(), count: mine)
        countsFrom = start + UInt64(plan.warmUp * 1e9)
        end = countsFrom + UInt64(plan.seconds * 1e9)
        next = number * 7
    }

    func run() throws -> LoadResult {
        for index in connections.indices {
            try open(index)
            begin(index)
        }
        while true {
            let now = SystemClock.monotonic
            if now >= end { break }
            wait(idle.isEmpty ? min(Int32((end - now) / 1_000_000) + 1, 100) : 2)
            if !idle.isEmpty, plan.gate?.isClosed != true {
                let waiting = idle
                idle = []
                for index in waiting { begin(index) }
            }
        }
        // The answers that are still to come, so that everything durable is known.
        let patience = SystemClock.monotonic + 20_000_000_000
        while busy > 0, SystemClock.monotonic < patience { wait(100) }
        result.answers[0, default: 0] += busy
        result.seconds = plan.seconds
        return result
    }

    /// Waits until some sockets are ready, and goes on with them.
    private func wait(_ milliseconds: Int32) {
        guard poll(&sockets, nfds_t(sockets.count), milliseconds) > 0 else { return }
        for index in sockets.indices where sockets[index].revents != 0 {
            take(connections[index].goOn(), of: index)
        }
    }

    private func open(_ index: Int) throws {
        try connections[index].open()
        sockets[index].fd = connections[index].socket
        sockets[index].events = Int16(POLLIN)
    }

    private func begin(_ index: Int) {
        if plan.gate?.isClosed == true {
            idle.append(index)
            return
        }
        busy += 1
        next = (next + 1) % plan.requests.count
        take(connections[index].begin(plan.requests[next], using: &chance), of: index)
    }

    private func take(_ progress: LoadConnection.Progress, of index: Int) {
        let now: UInt64
        switch progress {
        case .waiting:
            sockets[index].events = Int16(connections[index].isSending ? POLLOUT : POLLIN)
            return
        case .answered(let status):
            now = SystemClock.monotonic
            busy -= 1
            note(status, connections[index], at: now)
            if connections[index].isSpent { try? open(index) }
        case .broken:
            now = SystemClock.monotonic
            try? open(index)
            // A connection that was closed while it waited for the gate loses no request.
            if idle.contains(index) { return }
            busy -= 1
            result.answers[0, default: 0] += 1
        }
        if now < end { begin(index) }
    }

    private func note(_ status: Int, _ connection: LoadConnection, at now: UInt64) {
        result.answers[status, default: 0] += 1
        guard status == 202 || status == 204 else { return }
        result.acceptedEvents += connection.events
        guard now >= countsFrom, now < end else { return }
        result.countedEvents += connection.events
        result.countedRequests += 1
        result.countedBytes += connection.size
        if connection.began >= countsFrom {
            result.latencies.append(UInt32(clamping: (now - connection.began) / 1_000))
        }
    }
}
