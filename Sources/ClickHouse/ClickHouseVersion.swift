/// A server's version, as far as it decides what the server knows: `18.16.1` is 18.16.
package struct ClickHouseVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    package var major: Int
    package var minor: Int

    package init(_ major: Int, _ minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Reads what `SELECT version()` answers; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1]), major >= 0, minor >= 0 else {
            return nil
        }
        self.init(major, minor)
    }

    /// The oldest that this client speaks to.
    package static let oldest = ClickHouseVersion(18, 16)

    package static func < (one: ClickHouseVersion, other: ClickHouseVersion) -> Bool {
        (one.major, one.minor) < (other.major, other.minor)
    }

    package var description: String { "\(major).\(minor)" }
}
