/// A number with what it counts: `1 play`, `2 plays`, `0 plays`.
package struct Counted: CustomStringConvertible {
    package let description: String

    /// - Parameter noun: for one of them; its plural ends in s.
    package init(_ count: some BinaryInteger, _ noun: String) {
        description = "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
