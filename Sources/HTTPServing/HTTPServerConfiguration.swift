internal import Glibc

/// How an ``HTTPServer`` serves; every limit of its own.
package struct HTTPServerConfiguration: Sendable {
    package var head = HTTPHeadLimits()
    /// Connections at a time, each with its thread; one more is answered 503 and closed.
    package var connectionLimit = Self.usualConnectionLimit
    /// Whose connections are not counted by address: those of proxies, which bring many clients.
    package var isTrusted: @Sendable (IPAddress) -> Bool = { $0.isLoopback }
    /// How long a connection may be open without a byte of a request.
    package var idleTimeout = Duration.seconds(30)
    /// How long a request may take to arrive whole, from its first byte; then 408.
    package var requestTimeout = Duration.seconds(20)
    /// How long a client may read nothing of a response before it is dropped.
    package var writeTimeout = Duration.seconds(20)
    /// Bytes of a refused request that are read and dropped so that the client gets to its response.
    package var drainLimit = 256 << 10
    /// The same for a client that is turned away.
    package var turnAwayDrainLimit = 64 << 10
    /// How long either may take.
    package var drainTimeout = Duration.seconds(1)
    /// How long a stop waits for requests that have begun to arrive.
    package var stopGrace = Duration.seconds(8)
    /// How long a stop takes bytes for arrived before it: what the system has handed to nobody yet must count.
    package var stopSettling = Duration.milliseconds(20)
    /// How long a stop keeps connections open on which nothing happens, to answer 503 on them.
    package var stopLinger = Duration.seconds(2)
    /// How long accepting pauses when the system has no descriptor, memory or thread left.
    package var acceptPause = Duration.milliseconds(100)
    /// Connections that the system keeps before they are accepted.
    package var backlog: Int32 = 1_024
    /// Bytes of each connection's stack.
    package var stackBytes = 1 << 20
    /// Where bodies are taken from before they are read.
    package var budget = ByteBudget(limit: 64 << 20)
    /// Hears what an operator should know.
    package var report: @Sendable (HTTPServerNotice) -> Void = { _ in }

    package init() {}

    /// Connections at a time of one address whose client has not shown who it is; one more is answered 503 and closed.
    package var connectionsOfAddress: Int { max(1, connectionLimit / 4) }

    /// As many as the descriptors of the process allow with 40 left for everything else, 16–512.
    package static var usualConnectionLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 16 }
        return connectionLimit(descriptors: Int(clamping: limit.rlim_cur))
    }

    static func connectionLimit(descriptors: Int) -> Int {
        min(512, max(16, descriptors - 40))
    }
}

/// What an operator should know.
package enum HTTPServerNotice: Sendable, Equatable {
    /// Nothing is accepted for a moment, because the system lacks a descriptor, memory or a thread; at most one a minute.
    case acceptingPaused(errno: Int32)
}

/// Why a server could not begin to listen.
package struct HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
    /// Somebody else listens there.
    package var isInUse = false
}
