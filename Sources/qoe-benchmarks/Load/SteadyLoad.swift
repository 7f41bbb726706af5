internal import Glibc
internal import Platform

/// Requests that come at a steady rate, whatever becomes of those before. What an answer took is counted from the moment at
/// which its request was due, so that a server that stands still is not asked less.
struct SteadyLoad: Sendable {
    /// On 127.0.0.1.
    var port: UInt16
    var requests: [RequestTemplate]
    var requestsPerSecond: Double
    var connections = 32
    var seed: UInt64 = 1

    private static let patience: UInt64 = 20_000_000_000

    /// Sends until the flag is raised, and waits for the answers.
    ///
    /// - Throws: what the system said when a connection could not be made at the beginning.
    func run(until end: Flag) throws -> LoadResult {
        var chance = SeededGenerator(seed: seed)
        let room = requests.map(\.bytes.count).max() ?? 0
        let lines = (0..<connections).map { _ in LoadConnection(port: port, room: room) }
        for line in lines { try line.open() }
        var sockets = lines.map { pollfd(fd: $0.socket, events: 0, revents: 0) }
        var free = Array(lines.indices)
        var due = [UInt64](repeating: 0, count: connections)
        var result = LoadResult()
        let start = SystemClock.monotonic
        let interval = 1e9 / requestsPerSecond
        var count = 0
        var last: UInt64?

        func take(_ progress: LoadConnection.Progress, of index: Int) {
            var status = 0
            switch progress {
            case .waiting:
                sockets[index].events = Int16(lines[index].isSending ? POLLOUT : POLLIN)
                return
            case .answered(let code): status = code
            case .broken: break
            }
            result.answers[status, default: 0] += 1
            if status == 202 {
                result.acceptedEvents += lines[index].events
                result.latencies.append(UInt32(clamping: (SystemClock.monotonic - due[index]) / 1_000))
            }
            if status == 0 || lines[index].isSpent {
                try? lines[index].open()
                sockets[index].fd = lines[index].socket
            }
            sockets[index].events = 0
            free.append(index)
        }

        while true {
            let now = SystemClock.monotonic
            if last == nil, end.isRaised { last = now }
            if let last, free.count == connections || now > last + Self.patience { break }
            var next = start + UInt64(Double(count) * interval)
            while last == nil, next <= now, !free.isEmpty {
                let index = free.removeFirst()
                due[index] = next
                take(lines[index].begin(requests[count % requests.count], using: &chance), of: index)
                count += 1
                next = start + UInt64(Double(count) * interval)
            }
            // Without a free connection the next answer decides.
            let pause = free.isEmpty || last != nil ? 50_000_000 : min(50_000_000, next > now ? next - now : 0)
            guard poll(&sockets, nfds_t(sockets.count), Int32((pause + 999_999) / 1_000_000)) > 0 else { continue }
            for index in sockets.indices where sockets[index].revents != 0 {
                let isBusy = sockets[index].events != 0
                sockets[index].revents = 0
                if isBusy { take(lines[index].goOn(), of: index) }
            }
        }
        result.answers[0, default: 0] += connections - free.count
        result.seconds = Double(SystemClock.monotonic - start) / 1e9
        return result
    }
}
