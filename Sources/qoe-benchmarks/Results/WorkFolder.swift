internal import Foundation

/// A folder for a measurement's files, removed when the object goes.
final class WorkFolder {
    let path: String

    /// - Parameter parent: where it is made; without one, below the system's folder for temporary files.
    init(in parent: String? = nil) throws {
        path = (parent ?? NSTemporaryDirectory()) + "/qoe-benchmark-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
