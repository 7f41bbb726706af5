package import Foundation

/// Where this checkout's own files lie, for tests that read them.
package enum Checkout {
    /// The folder of `Package.swift`.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// `Tests/cases`: requests with their verdicts, plays with their reports.
    package static let cases = root.appendingPathComponent("Tests/cases")

    /// Copies the small data directory that version 0.1.0 left: 742 plays, 74 repeats (one of them with other content), one
    /// rejected event, a database of layout 1.
    package static func copyEarlierData(to path: String) throws {
        let kept = root.appendingPathComponent("Tests/Fixtures/data-0.1.0")
        try FileManager.default.copyItem(at: kept, to: URL(fileURLWithPath: path))
    }
}
