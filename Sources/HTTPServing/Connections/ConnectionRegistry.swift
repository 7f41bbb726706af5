internal import Glibc
internal import Synchronization

/// The connections that have a thread.
///
/// A socket is closed under the same lock, so that nobody else ever touches a number that the system has
/// given to another.
final class ConnectionRegistry: Sendable {
    private struct Entry {
        let connection: OpenConnection
        /// Whether it is counted among those of its address.
        var isCounted: Bool
    }

    private struct Entries {
        var open: [ObjectIdentifier: Entry] = [:]
        /// Connections by address of which no client has shown who it is.
        var unknown: [IPAddress: Int] = [:]

        mutating func uncount(_ connection: OpenConnection) {
            let id = ObjectIdentifier(connection)
            guard open[id]?.isCounted == true else { return }
            open[id]?.isCounted = false
            let site = connection.peer.site
            let left = unknown[site, default: 1] - 1
            unknown[site] = left > 0 ? left : nil
        }

        mutating func remove(_ connection: OpenConnection) {
            uncount(connection)
            open[ObjectIdentifier(connection)] = nil
        }
    }

    private let entries = Mutex(Entries())

    var count: Int { entries.withLock { $0.open.count } }

    var isAnyBusy: Bool {
        entries.withLock { $0.open.values.contains { $0.connection.isBusy } }
    }

    /// Connections of an address that are counted among its own.
    func unknownCount(from peer: IPAddress) -> Int {
        entries.withLock { $0.unknown[peer.site] ?? 0 }
    }

    /// - Parameter isCounted: whether it is one of its address' until its client has shown who it is.
    func enter(_ connection: OpenConnection, isCounted: Bool) {
        entries.withLock { entries in
            entries.open[ObjectIdentifier(connection)] = Entry(connection: connection, isCounted: isCounted)
            if isCounted { entries.unknown[connection.peer.site, default: 0] += 1 }
        }
    }

    /// The connection's client has shown who it is.
    func becomeKnown(_ connection: OpenConnection) {
        entries.withLock { $0.uncount(connection) }
    }

    /// Takes the connection out and leaves its socket to the caller.
    func forget(_ connection: OpenConnection) {
        entries.withLock { $0.remove(connection) }
    }

    /// Takes the connection out and closes its socket.
    func end(_ connection: OpenConnection) {
        entries.withLock { entries in
            entries.remove(connection)
            close(connection.socket)
        }
    }

    func forEach(_ body: (OpenConnection) -> Void) {
        entries.withLock { $0.open.values.forEach { body($0.connection) } }
    }
}

/// What the server knows of one connection while the connection's own thread works on it.
final class OpenConnection: Sendable {
    let socket: Int32
    let peer: IPAddress
    private let received = Atomic(0)
    private let busy = Atomic(false)
    private let refusedFrom = Atomic(Int.max)

    init(socket: Int32, peer: IPAddress) {
        self.socket = socket
        self.peer = peer
    }

    /// Whether a request has begun to arrive and is not yet answered.
    var isBusy: Bool {
        get { busy.load(ordering: .acquiring) }
        set { busy.store(newValue, ordering: .releasing) }
    }

    func countReceived(_ count: Int) {
        received.wrappingAdd(count, ordering: .releasing)
    }

    /// Refuses every request of which no byte has arrived by now; called again, it takes the later of both moments.
    ///
    /// A byte on its way from the system to the thread is counted by neither for an instant, hence more than one look.
    func refuseFromHere() {
        let arrived = received.load(ordering: .acquiring) + Socket.unreadBytes(socket)
        let before = refusedFrom.load(ordering: .relaxed)
        refusedFrom.store(before == Int.max ? arrived : max(before, arrived), ordering: .releasing)
    }

    /// Whether a request that begins at that byte of the connection is refused because the server stops.
    func refuses(from byte: Int) -> Bool {
        byte >= refusedFrom.load(ordering: .acquiring)
    }

    /// Whether the server stops.
    var isStopping: Bool { refusedFrom.load(ordering: .acquiring) != Int.max }

    /// Lets the thread find the end of the connection when it reads on; answers can still be written.
    func endReading() { shutdown(socket, Int32(SHUT_RD)) }

    /// Lets the thread fail when it reads or writes on.
    func endAll() { shutdown(socket, Int32(SHUT_RDWR)) }
}
