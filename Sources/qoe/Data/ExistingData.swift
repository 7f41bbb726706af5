internal import Archive
internal import CommandLineTool
import Glibc

/// A data directory that has to be there already: a command that mends one must not make an empty one.
enum ExistingData {
    static func check(_ paths: DataPaths) throws(CommandError) {
        var status = stat()
        guard stat(paths.archive, &status) != 0 else { return }
        guard [ENOENT, ENOTDIR].contains(errno) else {
            throw CommandError(.inputOutput, "cannot look into \(paths.archive): \(String(cString: strerror(errno)))")
        }
        throw CommandError(
            .noInput, "there is no archive in \(paths.root): name the data directory of a server with --data")
    }
}
