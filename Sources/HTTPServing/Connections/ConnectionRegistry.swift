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
