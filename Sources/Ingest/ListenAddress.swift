package import HTTPServing

/// An address and a port to listen on.
package struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    package var address: IPAddress
    /// 0 takes a free port.
    package var port: UInt16

    /// Port 8080 or 9090 and the like on this machine alone.
    package static func loopback(_ port: UInt16) -> ListenAddress {
        ListenAddress(address: IPAddress("127.0.0.1") ?? .loopback, port: port)
    }

    package init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Reads `127.0.0.1:8080`, `[::1]:8080`, or `:8080`, which is `127.0.0.1:8080`; nil for anything else.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        if host.isEmpty {
            self = .loopback(port)
            return
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard isBracketed == host.contains(":"),
            let address = IPAddress(isBracketed ? String(host.dropFirst().dropLast()) : String(host))
        else { return nil }
        self.init(address: address, port: port)
    }

    package var description: String {
        address.isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)"
    }
}
