internal import Glibc
internal import Synchronization

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
