internal import Archive
internal import Foundation

/// `alerts.json`: what is known of alerts, in a file of the data directory that is replaced as a whole.
struct AlertFile {
    private struct Content: Codable {
        var format = 1
        var book: AlertBook
    }

    let path: String

    init(_ paths: DataPaths) {
        path = paths.alerts
    }

    /// - Returns: an empty book where there is no file.
    /// - Throws: ``AlertFileFault`` for one that can't be understood, which is then moved to another name.
    func read() throws(AlertFileFault) -> AlertBook {
        guard let data = FileManager.default.contents(atPath: path) else { return AlertBook() }
        if let content = try? JSONDecoder().decode(Content.self, from: data), content.format == 1 {
            return content.book
        }
        rename(path, path + ".unreadable")
        throw AlertFileFault("\(path) can't be understood; it is \(path).unreadable now, and alerts begin anew")
    }

    /// Replaces the file; returns when it is durable. A crash leaves the old one or the new one.
    ///
    /// - Complexity: two syncs.
    func write(_ book: AlertBook) throws(AlertFileFault) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Content(book: book)) else {
            throw AlertFileFault("\(path) can't be made")
        }
        let new = path + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        guard file >= 0 else { throw fault("make", new) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
        } catch {
            unlink(new)
            throw AlertFileFault("can't write \(new): \(error.localizedDescription)")
        }
        guard rename(new, path) == 0 else { throw fault("rename", new) }
        let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw fault("open the folder of", path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw fault("sync the folder of", path) }
    }

    private func fault(_ what: String, _ path: String) -> AlertFileFault {
        AlertFileFault("can't \(what) \(path): \(String(cString: strerror(errno)))")
    }
}

/// What is wrong with the file, or kept it from being written.
struct AlertFileFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
