package import Foundation

/// A wall clock of its own for a server, by libfaketime; the monotonic clock stays as it is.
package final class FakeTime {
    private let folder: TemporaryFolder

    /// - Parameter start: what the clock says now; it goes on from there.
    package init(_ start: Date) throws {
        folder = try TemporaryFolder()
        try set(start)
    }

    /// The library, where Debian puts it for this processor.
    package static let library: String? = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }()

    /// What the server's environment needs.
    ///
    /// `FAKETIME_SHARED` is there so that the library does not add it: that would move the environment away from the
    /// arguments, before which Swift's runtime looks for them.
    package var environment: [String: String] {
        [
            "LD_PRELOAD": Self.library ?? "", "FAKETIME_TIMESTAMP_FILE": folder.path("offset"),
            "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_SHARED": "/none /none",
        ]
    }

    /// Steps the clock, forwards or backwards.
    package func set(_ now: Date) throws {
        let offset = now.timeIntervalSince(Date())
        let text = String(format: "%+.3f", offset)
        try text.write(toFile: folder.path("offset"), atomically: true, encoding: .utf8)
    }
}
