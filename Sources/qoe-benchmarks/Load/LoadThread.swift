internal import Glibc
internal import Platform

/// Drives some of a load's connections until the time is over.
final class LoadThread {
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
