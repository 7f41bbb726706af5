/// The header fields of a request as they came: one copy of the head's bytes and where each field lies in it.
package struct HTTPFields: Sendable {
    /// Where a field lies in the head; a head is at most 32 KiB, so 16 bits hold an offset.
    struct Line: Sendable {
        let name, value: Range<UInt16>
    }

    let bytes: [UInt8]
    let lines: [Line]

    package var count: Int { lines.count }

    /// Whether a field can have this name.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(HTTPCharacters.isToken)
    }

    /// The first value of the field, nil when it wasn't sent. What is not UTF-8 reads as U+FFFD.
    package func first(_ name: String) -> String? {
        bytes.withUnsafeBytes { bytes in
            for line in lines where HTTPCharacters.equal(slice(bytes, line.name), name) {
                return String(decoding: slice(bytes, line.value), as: UTF8.self)
            }
            return nil
        }
    }

    /// What the head says of a field that should stand there once. What is not UTF-8 reads as U+FFFD.
    package func sole(_ name: String) -> HTTPFieldValue {
        bytes.withUnsafeBytes { bytes in
            var found: Line?
            for line in lines where HTTPCharacters.equal(slice(bytes, line.name), name) {
                if found != nil { return .repeated }
                found = line
            }
            return found.map { .once(String(decoding: slice(bytes, $0.value), as: UTF8.self)) } ?? .absent
        }
    }

    /// Every value of the field, in order. What is not UTF-8 reads as U+FFFD.
    package func all(_ name: String) -> [String] {
        allBytes(name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Every value of the field, in order, byte for byte.
    package func allBytes(_ name: String) -> [[UInt8]] {
        bytes.withUnsafeBytes { bytes in
            lines.filter { HTTPCharacters.equal(slice(bytes, $0.name), name) }.map { Array(slice(bytes, $0.value)) }
        }
    }

    private func slice(_ bytes: UnsafeRawBufferPointer, _ range: Range<UInt16>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }
}

/// A field that should stand in a head at most once.
package enum HTTPFieldValue: Sendable, Equatable {
    case absent
    case once(String)
    case repeated
}
