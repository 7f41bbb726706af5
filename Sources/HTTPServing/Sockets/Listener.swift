internal import Glibc
internal import Platform
internal import Synchronization

/// A listening socket, and the loop that accepts from it.
final class Listener: Sendable {
    let port: UInt16
    private let socket: Int32
    private let backlog: Int32
    /// A pipe that has a byte once the listener is to stop.
    private let stopSignal: (reading: Int32, writing: Int32)
    private let hasEnded = Atomic(false)

    init(address: String, port: UInt16, backlog: Int32) throws(HTTPServerError) {
        guard let parsed = IPAddress(address) else {
            throw HTTPServerError(description: "\(address) is no IPv4 or IPv6 address")
        }
        let family = parsed.isIPv4 ? AF_INET : AF_INET6
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let listening = Glibc.socket(family, kind, 0)
        func failure(_ what: String) -> HTTPServerError {
            let code = errno
            if listening >= 0 { close(listening) }
            return HTTPServerError(
                description: "can't \(what) \(address) port \(port): \(String(cString: strerror(code)))",
                isInUse: code == EADDRINUSE)
        }
        guard listening >= 0 else { throw failure("open a socket for") }
        Socket.setOption(listening, SOL_SOCKET, SO_REUSEADDR, 1)
        if family == AF_INET6 { Socket.setOption(listening, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        var (storage, length) = parsed.socketAddress(port: port)
        let bound = withSocketAddress(&storage) { bind(listening, $0, length) }
        guard bound == 0 else { throw failure("bind to") }
        guard listen(listening, backlog) == 0 else { throw failure("listen on") }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failure("watch") }
        ends.forEach(Socket.closeOnExec)
        _ = withSocketAddress(&storage) { getsockname(listening, $0, &length) }
        // The port lies at the same place in both families.
        self.port = withUnsafeBytes(of: storage) {
            UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
        socket = listening
        self.backlog = max(backlog, 0)
        stopSignal = (ends[0], ends[1])
    }

    deinit {
        end()
        close(stopSignal.reading)
        close(stopSignal.writing)
    }

    func stop() {
        var byte: UInt8 = 1
        write(stopSignal.writing, &byte, 1)
    }

    /// What one look at the waiting connections came to.
    enum Outcome: Equatable {
        /// None waits any more, or a good many were taken.
        case taken
        /// The system has no descriptor, memory or thread for more.
        case exhausted(errno: Int32)
    }

    /// Takes the connections that wait, not many more than the system keeps, so that a flood can't hold off a stop.
    ///
    /// - Parameter serve: takes the socket over; not 0 is the `errno` of what was lacking.
    func acceptWaiting(_ serve: (Int32, IPAddress) -> Int32) -> Outcome {
        for _ in 0...backlog {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let accepted = withSocketAddress(&storage) { address in
                let accepted = accept(socket, address, &length)
                return accepted < 0 ? -errno : accepted
            }
            if accepted >= 0 {
                Socket.closeOnExec(accepted)
                let code = serve(accepted, IPAddress(storage))
                if code != 0 { return .exhausted(errno: code) }
                continue
            }
            switch -accepted {
            case EAGAIN: return .taken
            // The connection was reset while it waited, or its network failed: accept(2) lists these as no reason to
            // stop.
            case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP,
                ENETUNREACH, EPERM:
                continue
            case let code: return .exhausted(errno: code)
            }
        }
        return .taken
    }

    /// Waits for a connection; true once ``stop()`` was called.
    func waitForMore() -> Bool {
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { requests in
            requests[0] = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            requests[1] = pollfd(fd: stopSignal.reading, events: Int16(POLLIN), revents: 0)
            poll(requests.baseAddress, 2, -1)
            return requests[1].revents != 0
        }
    }

    /// Waits without a look at connections; true once ``stop()`` was called.
    func pause(_ duration: Duration) -> Bool {
        Socket.waitToReceive(stopSignal.reading, until: .now + duration)
    }

    /// Gives up the address: who waits there is turned away by the system.
    func end() {
        if !hasEnded.exchange(true, ordering: .sequentiallyConsistent) { close(socket) }
    }
}

/// Lends the storage to the calls that want a plain `sockaddr`.
private func withSocketAddress(
    _ storage: inout sockaddr_storage, _ body: (UnsafeMutablePointer<sockaddr>) -> Int32
) -> Int32 {
    withUnsafeMutablePointer(to: &storage) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
}
