/// What is wrong with the text of a ``ClickHouseURL``; the words go on after its name.
package struct ClickHouseURLFault: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
