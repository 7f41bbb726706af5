/// A text compared as bytes: `é` of one scalar and `é` of two are not the same value of a dimension.
package struct ByteText: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let bytes: [UInt8]

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static func < (one: ByteText, other: ByteText) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }

    package var description: String { String(decoding: bytes, as: UTF8.self) }
    package var isEmpty: Bool { bytes.isEmpty }
}

/// What the plays of a group share, one value for each dimension, as the group columns of a query hold it.
package struct GroupKey: Sendable, Hashable {
    package var values: [ByteText]

    package init(_ values: [ByteText]) {
        self.values = values
    }

    /// The groups that are too many to be named, as one; no value of a play begins with a bracket.
    package static func other(_ dimensions: Int) -> GroupKey {
        GroupKey(Array(repeating: ByteText("(other)"), count: dimensions))
    }

    /// How groups are ordered before they are counted: with the most plays first, then by their values as bytes.
    package static func precedes(_ one: (key: GroupKey, plays: Int64), _ other: (key: GroupKey, plays: Int64)) -> Bool {
        if one.plays != other.plays { return one.plays > other.plays }
        return one.key.values.lexicographicallyPrecedes(other.key.values)
    }
}
