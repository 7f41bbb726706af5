/// What was wrong with the words that asked for a report: one line that says what would be right.
package struct ReportRequestError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
