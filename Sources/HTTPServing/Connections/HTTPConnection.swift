internal import Glibc
internal import Platform

/// One connection, on its own thread: reads a request, has it answered, and again.
struct HTTPConnection: ~Copyable {
    /// Why a request comes to no response of the handler's.
    enum Interruption: Error {
        /// The client is gone or too slow to be told anything.
        case gone
        case fault(HTTPError)
    }

    let connection: OpenConnection
    let server: HTTPServer
    let configuration: HTTPServerConfiguration
    var buffer = ReceiveBuffer()
    /// Bytes of this connection that came before those in the buffer.
    var usedBytes = 0
    var output: [UInt8] = []
    var date = HTTPDate()
    /// When the request that is being read must be whole.
    var deadline = MonotonicTime.now
    private var isKnown = false

    /// Bytes of a response that are bounded well enough by the number of connections.
    private static let smallResponse = 4 << 10

    init(_ connection: OpenConnection, server: HTTPServer) {
        self.connection = connection
        self.server = server
        configuration = server.configuration
    }

    /// Serves until one side has enough.
    mutating func run() {
        while waitForRequest() {
            connection.isBusy = true
            let goesOn = serveRequest()
            connection.isBusy = false
            if !goesOn { break }
        }
    }

    /// Waits for the first byte; false when there is none in time.
    private mutating func waitForRequest() -> Bool {
        buffer.isEmpty ? receive(waits: true) > 0 : true
    }

    /// - Returns: whether another request may follow.
    private mutating func serveRequest() -> Bool {
        deadline = .now + configuration.requestTimeout
        let isRefused = connection.refuses(from: usedBytes)
        let head: HTTPRequestHead
        do {
            head = try readHead()
        } catch {
            return interrupt(error, head: nil)
        }
        if isRefused { return interrupt(.fault(.stopping), head: head) }
        switch server.handler.admit(head) {
        case .refuse(let response): return refuse(response, head: head)
        case .turnAway(let response): return turnAway(response, head: head)
        case .take(let admitted):
            if admitted.isKnown, !isKnown {
                isKnown = true
                server.registry.becomeKnown(connection)
            }
            return serveBody(of: head, admitted)
        }
    }

    private mutating func readHead() throws(Interruption) -> HTTPRequestHead {
        var parser = HTTPHeadParser(limits: configuration.head, peer: connection.peer)
        while true {
            do {
                if let head = try parser.parse(buffer.bytes) {
                    use(head.byteCount)
                    return head
                }
            } catch {
                throw .fault(error)
            }
            try receiveMore()
        }
    }

    private mutating func serveBody(of head: HTTPRequestHead, _ admitted: HTTPAdmitted) -> Bool {
        var body = HTTPBody(head.framing)
        var room = BudgetRoom(in: configuration.budget, owner: admitted.owner)
        do {
            let response = try response(to: head, body: &body, admitted, &room)
            room.shrink(to: response.body.count > Self.smallResponse ? response.body.count : 0)
            return respond(response, head: head)
        } catch .fault(.noRoom) {
            room.shrink(to: 0)
            return refuse(server.handler.response(to: .noRoom, head: head), head: head, rest: body)
        } catch {
            room.shrink(to: 0)
            return interrupt(error, head: head)
        }
    }

    /// The handler's response; the body is gone before it is written.
    private mutating func response(
        to head: HTTPRequestHead, body: inout HTTPBody, _ admitted: HTTPAdmitted, _ room: inout BudgetRoom
    ) throws(Interruption) -> HTTPResponse {
        let bytes = try read(&body, of: head, limit: admitted.bodyLimit, into: &room)
        return admitted.respond(HTTPRequest(head: head, body: bytes), &room)
    }

    /// Takes the first bytes of the buffer away.
    mutating func use(_ count: Int) {
        buffer.use(count)
        usedBytes += count
    }

    /// Reads on in the middle of a request.
    mutating func receiveMore() throws(Interruption) {
        var count = receive(waits: false)
        if count == -Int(EAGAIN) {
            guard Socket.waitToReceive(connection.socket, until: deadline) else { throw .fault(.timeout) }
            count = receive(waits: false)
        }
        guard count > 0 || count == -Int(EAGAIN) else { throw .gone }
        if deadline < .now { throw .fault(.timeout) }
    }

    /// Receives once into the buffer.
    mutating func receive(waits: Bool) -> Int {
        let socket = connection.socket
        let count = buffer.fill(limit: configuration.head.head) { free in
            Socket.receive(socket, into: free, waits: waits)
        }
        if count > 0 { countReceived(count) }
        return count
    }

    func countReceived(_ count: Int) {
        connection.countReceived(count)
        server.counters.countReceived(count)
    }
}

extension HTTPConnection {
    /// Answers a request that was read whole.
    mutating func respond(_ response: HTTPResponse, head: HTTPRequestHead) -> Bool {
        let stops = connection.refuses(from: usedBytes)
        let closes = response.closes || stops || !head.keepsAlive
        guard send(response, head: head, closes: closes) else { return false }
        if !closes { return true }
        if stops || !buffer.isEmpty || Socket.unreadBytes(connection.socket) > 0 {
            drain(atMost: configuration.drainLimit)
        }
        return false
    }

    /// Answers a request whose body is left, and keeps the connection where little of the body follows for sure.
    mutating func refuse(_ response: HTTPResponse, head: HTTPRequestHead, rest: HTTPBody? = nil) -> Bool {
        var rest = rest ?? HTTPBody(head.framing)
        if rest.isOver { return respond(response, head: head) }
        var closes = response.closes || head.expectsContinue || !head.keepsAlive
        if case .length(let left) = rest, left > configuration.drainLimit { closes = true }
        closes = closes || connection.isStopping
        guard send(response, head: head, closes: closes) else { return false }
        if !closes && skip(&rest) { return true }
        drain(atMost: configuration.drainLimit)
        return false
    }

    /// Answers from the head alone, and looks at nothing that follows.
    mutating func turnAway(_ response: HTTPResponse, head: HTTPRequestHead) -> Bool {
        if send(response, head: head, closes: true) { drain(atMost: configuration.turnAwayDrainLimit) }
        return false
    }

    /// Answers for a request that can't be read to its end; nothing after it on this connection is a request.
    mutating func interrupt(_ interruption: Interruption, head: HTTPRequestHead?) -> Bool {
        guard case .fault(let fault) = interruption else { return false }
        if send(server.handler.response(to: fault, head: head), head: head, closes: true) {
            drain(atMost: configuration.drainLimit)
        }
        return false
    }

    /// `100 Continue`: the client waits for it with its body.
    mutating func sendContinue() throws(Interruption) {
        output.removeAll(keepingCapacity: true)
        output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
        guard write([]) else { throw .gone }
    }

    private mutating func send(_ response: HTTPResponse, head: HTTPRequestHead?, closes: Bool) -> Bool {
        date.move(to: Int64(time(nil)))
        output.removeAll(keepingCapacity: true)
        let stays: HTTPResponseHead.Persistence = head?.version == .http10 ? .staysByRequest : .stays
        HTTPResponseHead.append(
            response, persistence: closes ? .closes : stays, date: date.text, to: &output)
        server.counters.countResponse(HTTPResponseHead.effectiveStatus(response))
        let hasBody = head?.method != "HEAD" && !HTTPStatus.isBodiless(response.status)
        return write(hasBody ? response.body : [])
    }

    /// Writes the output and a body after it.
    private func write(_ body: [UInt8]) -> Bool {
        output.withUnsafeBytes { first in
            body.withUnsafeBytes { second in
                Socket.send(connection.socket, first, second, patience: configuration.writeTimeout) == 0
            }
        }
    }

    /// Reads a refused body to its end; false when it is too long or too slow for that.
    private mutating func skip(_ body: inout HTTPBody) -> Bool {
        var skipped = 0
        do {
            while let part = try nextPart(of: &body) {
                skipped += part.count
                use(part.upperBound)
                if skipped > configuration.drainLimit { return false }
            }
            return true
        } catch {
            return false
        }
    }

    /// Says that no more comes and reads a little of what the client still sends: closing with unread bytes would
    /// reset the connection, and the client might lose its response.
    private mutating func drain(atMost limit: Int) {
        shutdown(connection.socket, Int32(SHUT_WR))
        let end = MonotonicTime.now + configuration.drainTimeout
        var drained = buffer.count
        use(buffer.count)
        let socket = connection.socket
        while drained < limit, Socket.waitToReceive(socket, until: end) {
            let size = min(limit - drained, ReceiveBuffer.usualSize)
            let count = withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { bytes in
                Socket.receive(socket, into: bytes, waits: false)
            }
            guard count > 0 else { return }
            countReceived(count)
            drained += count
        }
    }
}
