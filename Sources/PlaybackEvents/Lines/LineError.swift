/// A line of the archive or of the quarantine that is none of ours, or damaged.
package struct LineError: Error, Sendable, Equatable {
    /// What is wrong, without any text of the line.
    package var reason: String
    /// How far the line was read, in bytes.
    package var offset: Int

    package init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    init(_ fault: SyntaxError) {
        self.init("It is no JSON object.", at: fault.offset)
    }
}
