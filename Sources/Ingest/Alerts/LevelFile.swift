internal import Foundation
internal import Reports

/// The file of service levels of a server.
struct LevelFile: Sendable {
    let path: String

    /// - Throws: ``IngestServerFault`` for a file that is none.
    func read() throws(IngestServerFault) -> [ServiceLevel] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .levels(file: path, reason: "it can't be read")
        }
        let levels: [ServiceLevel]
        do {
            levels = try ServiceLevel.parse(String(decoding: data, as: UTF8.self))
        } catch {
            throw .levels(file: path, reason: error.description)
        }
        guard !levels.isEmpty else { throw .levels(file: path, reason: "it holds no service level") }
        return levels
    }
}
