/// What a group is called, a word for each dimension.
///
/// Names are compared as bytes, as the groups are: Swift takes `é` of one scalar and `é` of two for the same text.
package struct GroupNames: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
    private let texts: [String]

    package init(_ texts: [String]) {
        self.texts = texts
    }

    package init(arrayLiteral texts: String...) {
        self.init(texts)
    }

    package var startIndex: Int { texts.startIndex }
    package var endIndex: Int { texts.endIndex }
    package subscript(index: Int) -> String { texts[index] }

    /// The group itself.
    var key: GroupKey { GroupKey(texts.map { ByteText($0) }) }
}

extension GroupNames: Hashable {
    package static func == (one: GroupNames, other: GroupNames) -> Bool {
        one.texts.elementsEqual(other.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    package func hash(into hasher: inout Hasher) {
        for text in texts {
            for byte in text.utf8 { hasher.combine(byte) }
            hasher.combine(UInt8(0xFF))
        }
    }
}
