internal import HTTPServing

/// Where alerts go: `https://host[:port]/path`.
package struct WebhookURL: Sendable, Equatable {
    package let usesTLS: Bool
    /// A name or an address; an IPv6 address stands in brackets.
    package let host: String
    package let port: UInt16
    /// Path and query as they go into the request.
    package let target: String

    /// Reads a URL; nil for what is none. Neither the path nor the query is ever printed: receivers put secrets there.
    package init?(_ text: String) {
        guard let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !text.contains("#")
        else { return nil }
        usesTLS = scheme == "https://"
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let path = String(rest[end...])
        target = path.hasPrefix("/") ? path : "/" + path
        let position = rest[..<end]
        // The colons of an IPv6 address stand before the bracket.
        let bracket = position.lastIndex(of: "]") ?? position.startIndex
        let colon = position[bracket...].lastIndex(of: ":") ?? position.endIndex
        let name = position[..<colon]
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        let isAddress = isBracketed && IPAddress(String(name.dropFirst().dropLast()))?.isIPv4 == false
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || [45, 46, 95].contains(byte)
            }
        guard isAddress || isName else { return nil }
        host = String(name)
        guard colon < position.endIndex else {
            port = usesTLS ? 443 : 80
            return
        }
        guard let number = UInt16(position[position.index(after: colon)...]), number > 0 else { return nil }
        port = number
    }
}

/// What carries an alert to its receiver.
package protocol WebhookCarrier: Sendable {
    /// Posts JSON and waits for the answer. Blocks the calling thread.
    ///
    /// - Parameter patience: how long the receiver may say nothing, in seconds.
    /// - Returns: the answer's status.
    /// - Throws: what kept an answer from coming, whether or not the receiver got the message.
    func post(_ body: String, to url: WebhookURL, patience: Double) throws(WebhookError) -> Int

    /// From now on no answer is waited for any more. May be called while one is.
    func end()
}

/// No answer came.
package struct WebhookError: Error, Sendable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}
