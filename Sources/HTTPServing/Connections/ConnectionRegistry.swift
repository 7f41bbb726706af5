internal import Glibc
internal import Synchronization

/// The connections that have a thread.
///
/// A socket is closed under the same lock, so that nobody else ever touches a number that the system has
/// given to another.
final class ConnectionRegistry: Sendable {
    private let open = Mutex<[ObjectIdentifier: OpenConnection]>([:])

    var count: Int { open.withLock { $0.count } }

    var isAnyBusy: Bool {
        open.withLock { $0.values.contains { $0.isBusy } }
    }

    func enter(_ connection: OpenConnection) {
        open.withLock { $0[ObjectIdentifier(connection)] = connection }
    }

    /// Takes the connection out and leaves its socket to the caller.
    func forget(_ connection: OpenConnection) {
        open.withLock { $0[ObjectIdentifier(connection)] = nil }
    }

    /// Takes the connection out and closes its socket.
    func end(_ connection: OpenConnection) {
        open.withLock {
            $0[ObjectIdentifier(connection)] = nil
            close(connection.socket)
        }
    }

    func forEach(_ body: (OpenConnection) -> Void) {
        open.withLock { $0.values.forEach(body) }
    }
}
