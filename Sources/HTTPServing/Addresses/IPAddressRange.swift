/// A block of addresses such as `10.0.0.0/8` or `fd00::/8`, for the proxies that an operator trusts.
///
/// An IPv6 block never holds an IPv4 address, not even `::/0`; a block of mapped addresses (`::ffff:10.0.0.0/104`) is
/// the IPv4 block that it maps.
package struct IPAddressRange: Sendable, Hashable {
    private let first: IPAddress
    /// Leading bits that count, 0–128; 96 more than written for IPv4.
    private let bits: Int

    /// An address, or an address and a prefix length; nil for anything else, and where bits are set after the prefix
    /// (`10.0.0.1/8`), because then one of the two is a mistake.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = parts.first, let address = IPAddress(String(start)) else { return nil }
        var bits = 128
        if parts.count == 2 {
            let isDottedFour = !start.utf8.contains(UInt8(ascii: ":"))
            let digits = parts[1].utf8
            guard digits.count <= 3, digits.allSatisfy(HTTPCharacters.isDigit), let written = Int(parts[1]),
                written <= (isDottedFour ? 32 : 128)
            else { return nil }
            bits = isDottedFour ? written + 96 : written
        }
        guard Self.masked(address, bits) == address else { return nil }
        first = address
        self.bits = bits
    }

    package func contains(_ address: IPAddress) -> Bool {
        if address.isIPv4 && bits < 96 { return false }
        return Self.masked(address, bits) == first
    }

    private static func masked(_ address: IPAddress, _ bits: Int) -> IPAddress {
        // Shifting a fixed-width integer by its whole width or more gives 0, by less than nothing shifts the other way.
        let high = bits >= 64 ? UInt64.max : ~(UInt64.max >> UInt64(bits))
        let low = bits <= 64 ? 0 : ~(UInt64.max >> UInt64(bits - 64))
        return IPAddress(high: address.high & high, low: address.low & low)
    }
}
