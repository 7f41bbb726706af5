internal import Glibc

/// One connection, on its own thread: reads a request, has it answered, and again.
struct HTTPConnection: ~Copyable {
    /// Why a request comes to no answer of the handler's.
    enum Interruption: Error {
        /// The client is gone or too slow to be told anything.
        case gone
        case fault(HTTPFault)
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
        case .body(let limit): return serveBody(of: head, limit: limit)
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

    private mutating func serveBody(of head: HTTPRequestHead, limit: Int) -> Bool {
        var body = HTTPBody(head.framing)
        do {
            return answer(try response(to: head, body: &body, limit: limit), head: head)
        } catch .fault(.noRoom) {
            return refuse(server.handler.answer(to: .noRoom, head: head), head: head, rest: body)
        } catch {
            return interrupt(error, head: head)
        }
    }

    /// The handler's answer; the body is gone and its room given back before the answer is written.
    private mutating func response(
        to head: HTTPRequestHead, body: inout HTTPBody, limit: Int
    ) throws(Interruption) -> HTTPResponse {
        var taken = 0
        defer { if taken > 0 { configuration.budget.give(taken) } }
        let bytes = try read(&body, of: head, limit: limit, taken: &taken)
        return server.handler.respond(to: HTTPRequest(head: head, body: bytes))
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
