package import Archive
internal import Foundation

/// When the last export of a data directory came to its end, in a small file there: so the server, which is another process,
/// can say it.
package enum ExportMark {
    /// Leaves it for the server; without the right to write there, nothing is left.
    ///
    /// - Parameter now: ms since 1970.
    package static func leave(_ paths: DataPaths, at now: Int64) {
        let new = paths.lastExport + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        guard file >= 0 else { return }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        guard (try? handle.write(contentsOf: Data("\(now)\n".utf8))) != nil, rename(new, paths.lastExport) == 0 else {
            unlink(new)
            return
        }
    }

    /// - Returns: ms since 1970; nil where there was none.
    static func read(_ paths: DataPaths) -> Int64? {
        guard let data = FileManager.default.contents(atPath: paths.lastExport) else { return nil }
        return Int64(String(decoding: data, as: UTF8.self).prefix { !$0.isNewline })
    }
}
