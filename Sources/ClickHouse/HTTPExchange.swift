package import struct Foundation.Data

/// What carries requests to a ClickHouse server and answers back; tests bring one of their own.
package protocol HTTPExchange: Sendable {
    /// Sends one request and waits for the whole response. Blocks the calling thread.
    ///
    /// - Throws: what kept a response from coming, whether or not the server got the request.
    func response(to request: HTTPExchangeRequest) throws(HTTPExchangeError) -> HTTPExchangeResponse

    /// From so many seconds on nobody waits for a response any more. May be called while one is waited for.
    func end(inSeconds seconds: Double)
}

extension HTTPExchange {
    package func end(inSeconds seconds: Double) {}
}

package struct HTTPExchangeRequest: Sendable, Equatable {
    package var host: ClickHouseURL.Host
    package var usesTLS: Bool
    /// The path, with a query where it has one of its own.
    package var target = "/"
    /// Names and values, in their order; not encoded.
    package var items: [(name: String, value: String)]
    package var fields: [String: String]
    package var body: Data
    /// How long the server may say nothing, in seconds.
    package var patience: Double

    package init(
        host: ClickHouseURL.Host, usesTLS: Bool = false, items: [(name: String, value: String)],
        fields: [String: String],
        body: Data, patience: Double
    ) {
        self.host = host
        self.usesTLS = usesTLS
        self.items = items
        self.fields = fields
        self.body = body
        self.patience = patience
    }

    package static func == (one: HTTPExchangeRequest, other: HTTPExchangeRequest) -> Bool {
        one.host == other.host && one.usesTLS == other.usesTLS && one.target == other.target
            && one.items.elementsEqual(other.items, by: ==)
            && one.fields == other.fields && one.body == other.body && one.patience == other.patience
    }
}

package struct HTTPExchangeResponse: Sendable {
    package var status: Int
    /// By names in lower case.
    package var fields: [String: String]
    package var body: Data

    package init(status: Int, fields: [String: String] = [:], body: Data) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// No response came: refused, reset, timed out, or broken off.
package struct HTTPExchangeError: Error, Sendable {
    package var reason: String
    /// The connection was there and is gone, as that of a server or balancer that begins anew.
    package var isBrokenOff: Bool

    package init(_ reason: String, isBrokenOff: Bool = false) {
        self.reason = reason
        self.isBrokenOff = isBrokenOff
    }
}
