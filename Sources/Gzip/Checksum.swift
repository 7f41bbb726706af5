internal import CZlib

/// The check that gzip has, CRC-32.
package enum Checksum {
    package static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        let bytes = Array(bytes)
        return bytes.withUnsafeBytes { bytes in
            UInt32(truncatingIfNeeded: crc32_z(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count))
        }
    }
}
