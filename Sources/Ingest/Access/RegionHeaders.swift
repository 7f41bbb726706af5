package import HTTPServing

/// The headers in which the operator's edge names the region, believed from the operator's own proxies only.
package struct RegionHeaders: Sendable {
    private let names: [String]
    private let proxies: [IPAddressRange]

    package init(names: [String], proxies: [IPAddressRange]) {
        self.names = names
        self.proxies = proxies
    }

    /// What the first of the headers that is there says; nil when the peer is not trusted, and when a header stands
    /// there twice, since then nobody knows which of them the proxy wrote.
    package func value(in head: HTTPRequestHead) -> [UInt8]? {
        guard proxies.contains(where: { $0.contains(head.peer) }) else { return nil }
        for name in names {
            let values = head.fields.allBytes(name)
            if values.count > 1 { return nil }
            if let value = values.first { return value }
        }
        return nil
    }
}
