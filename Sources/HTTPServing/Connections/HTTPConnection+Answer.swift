internal import Glibc
internal import Platform

extension HTTPConnection {
    /// Answers a request that was read whole.
    mutating func answer(_ response: HTTPResponse, head: HTTPRequestHead) -> Bool {
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
        if rest.isOver { return answer(response, head: head) }
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
        if send(server.handler.answer(to: fault, head: head), head: head, closes: true) {
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
        server.counters.countAnswer(HTTPResponseHead.effectiveStatus(response))
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
    /// reset the connection, and the client might lose its answer.
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
