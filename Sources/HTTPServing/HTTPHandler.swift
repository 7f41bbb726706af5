/// What the server calls, from many threads at once: one call at a time for each connection.
package protocol HTTPHandler: Sendable {
    /// Decides on a request before `100 Continue` is sent and its body is read.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission

    /// Answers a whole request; may block the connection's thread.
    func respond(to request: HTTPRequest) -> HTTPResponse

    /// Puts a fault into words. The head is nil when it did not parse.
    func answer(to fault: HTTPFault, head: HTTPRequestHead?) -> HTTPResponse
}

package enum HTTPAdmission: Sendable {
    /// Read the body, at most that many bytes; a longer one is answered with 413.
    case body(limit: Int)
    /// Answer at once and leave the body.
    case refuse(HTTPResponse)
}

package struct HTTPRequest: Sendable {
    package var head: HTTPRequestHead
    /// As sent, without the chunks' framing.
    package var body: [UInt8]

    package init(head: HTTPRequestHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }
}
