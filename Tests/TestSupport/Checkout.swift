package import Foundation

/// Where this checkout's own files lie, for tests that read them.
package enum Checkout {
    /// The folder of `Package.swift`.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// `Tests/cases`: requests with their verdicts, plays with their reports.
    package static let cases = root.appendingPathComponent("Tests/cases")
}
