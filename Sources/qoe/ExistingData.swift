internal import Archive
internal import CommandLineTool
import Foundation

/// A data directory that has to be there already: a command that mends one must not make an empty one.
enum ExistingData {
    static func check(_ paths: DataPaths) throws(CommandError) {
        guard FileManager.default.fileExists(atPath: paths.archive) else {
            throw CommandError(
                .noInput, "there is no archive in \(paths.root): name the data directory of a server with --data")
        }
    }
}
