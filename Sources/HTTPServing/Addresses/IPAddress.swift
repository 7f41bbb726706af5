internal import Glibc

/// An IPv4 or IPv6 address as 16 bytes; IPv4 stands as `::ffff:a.b.c.d`, so that a mapped address equals its plain form.
package struct IPAddress: Sendable, Hashable {
    /// The first and last eight bytes, as numbers in network order.
    let high, low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An address in its usual notation, without brackets, zone or port; nil for anything else, names included.
    package init?(_ text: String) {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(four)
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        self.init(six)
    }

    package static let loopback = IPAddress(high: 0, low: 1)

    package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// What one host has to itself: an IPv4 address, or an IPv6 network of 64 bits.
    var site: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

    /// `127.0.0.0/8` and `::1`.
    package var isLoopback: Bool {
        isIPv4 ? low >> 24 & 0xFF == 127 : self == .loopback
    }
}

extension IPAddress {
    init(_ address: in_addr) {
        self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: address.s_addr)))
    }

    init(_ address: in6_addr) {
        let (high, low) = withUnsafeBytes(of: address) { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    /// The address of an accepted connection; the unspecified address for a family that is neither.
    init(_ storage: sockaddr_storage) {
        self = withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET: IPAddress(bytes.loadUnaligned(as: sockaddr_in.self).sin_addr)
            case AF_INET6: IPAddress(bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
            default: IPAddress(high: 0, low: 0)
            }
        }
    }

    /// What `bind` takes, with its length.
    func socketAddress(port: UInt16) -> (address: sockaddr_storage, length: socklen_t) {
        var storage = sockaddr_storage()
        let length = withUnsafeMutableBytes(of: &storage) { bytes in
            if isIPv4 {
                var four = sockaddr_in()
                four.sin_family = sa_family_t(AF_INET)
                four.sin_port = port.bigEndian
                four.sin_addr.s_addr = UInt32(truncatingIfNeeded: low).bigEndian
                bytes.storeBytes(of: four, as: sockaddr_in.self)
                return MemoryLayout<sockaddr_in>.size
            }
            var six = sockaddr_in6()
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &six.sin6_addr) { address in
                address.storeBytes(of: high.bigEndian, as: UInt64.self)
                address.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            bytes.storeBytes(of: six, as: sockaddr_in6.self)
            return MemoryLayout<sockaddr_in6>.size
        }
        return (storage, socklen_t(length))
    }
}

extension IPAddress: CustomStringConvertible {
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let (storage, _) = socketAddress(port: 0)
        withUnsafeBytes(of: storage) { bytes in
            let family = Int32(storage.ss_family)
            let offset =
                family == AF_INET
                ? MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) : MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)
            guard let offset, let base = bytes.baseAddress else { return }
            _ = inet_ntop(family, base + offset, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
