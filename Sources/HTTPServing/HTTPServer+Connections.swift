internal import Glibc
internal import Platform

extension HTTPServer {
    /// Gives a new connection its thread, or its refusal.
    ///
    /// - Returns: the `errno` of a thread that could not start, else 0.
    func serve(_ socket: Int32, peer: IPAddress) -> Int32 {
        let isTrusted = configuration.isTrusted(peer)
        if registry.count >= configuration.connectionLimit {
            refuse(socket, .tooManyConnections)
            return 0
        }
        if !isTrusted, registry.unknownCount(from: peer) >= configuration.connectionsOfAddress {
            refuse(socket, .tooManyOfAddress)
            return 0
        }
        Socket.setOption(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        Socket.setReceiveTimeout(socket, configuration.idleTimeout)
        let connection = OpenConnection(socket: socket, peer: peer)
        registry.enter(connection, isCounted: !isTrusted)
        do {
            try SystemThread.detach(name: "connection", stackBytes: configuration.stackBytes) { [self] in
                var served = HTTPConnection(connection, server: self)
                served.run()
                registry.end(connection)
            }
        } catch {
            registry.forget(connection)
            refuse(socket, .tooManyConnections)
            return error.code
        }
        counters.countConnection()
        return 0
    }

    /// Answers 503 without a thread, waits for nothing and closes.
    private func refuse(_ socket: Int32, _ fault: HTTPFault) {
        let response = handler.answer(to: fault, head: nil)
        var date = HTTPDate()
        date.move(to: Int64(time(nil)))
        var answer: [UInt8] = []
        HTTPResponseHead.append(response, persistence: .closes, date: date.text, to: &answer)
        counters.countRefusal()
        counters.countAnswer(HTTPResponseHead.effectiveStatus(response))
        // Closing with unread bytes would reset the connection, and the client might lose its answer.
        withUnsafeTemporaryAllocation(byteCount: ReceiveBuffer.usualSize, alignment: 1) { unread in
            _ = Socket.receive(socket, into: unread, waits: false)
        }
        answer.withUnsafeBytes { head in
            response.body.withUnsafeBytes { body in
                _ = Socket.send(socket, head, body, patience: .zero)
            }
        }
        close(socket)
    }
}
