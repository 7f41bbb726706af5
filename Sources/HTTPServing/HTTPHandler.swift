/// What the server calls, from many threads at once: one call at a time for each connection.
package protocol HTTPHandler: Sendable {
    /// Decides on a request before `100 Continue` is sent and its body is read.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission

    /// Puts a fault into words. The head is nil when it did not parse.
    func response(to fault: HTTPError, head: HTTPRequestHead?) -> HTTPResponse
}

package enum HTTPAdmission: Sendable {
    /// Read the body, then answer.
    case take(HTTPAdmitted)
    /// Answer at once and leave the body; where little of it follows, the connection stays.
    case refuse(HTTPResponse)
    /// Answer at once and close: nothing that this client sends is worth a look.
    case turnAway(HTTPResponse)
}

/// A request that was let in by its head: what was found out then, and how it is answered once it is whole.
package struct HTTPAdmitted: Sendable {
    /// Answers; may block the connection's thread.
    ///
    /// The room holds the body's bytes already. What it takes beyond those, and no more than the response's own bytes, is held
    /// until the response is written.
    package typealias Respond = @Sendable (HTTPRequest, inout BudgetRoom) -> HTTPResponse

    /// Bytes of the body at most; a longer one is answered with 413.
    package var bodyLimit: Int
    /// Whose bytes these are in the budget.
    package var owner: String
    /// Whether the client has shown who it is, so that its connection isn't counted among those of its address any more.
    package var isKnown: Bool
    package var respond: Respond

    package init(bodyLimit: Int, owner: String = "", isKnown: Bool = false, respond: @escaping Respond) {
        self.bodyLimit = bodyLimit
        self.owner = owner
        self.isKnown = isKnown
        self.respond = respond
    }
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
