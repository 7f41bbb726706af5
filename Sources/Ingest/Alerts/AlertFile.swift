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
        do {
            try FileCalls.system.replace(path, with: Array(data), by: path + ".new")
        } catch {
            throw AlertFileFault("\(error)")
        }
    }
}

/// What is wrong with the file, or kept it from being written.
struct AlertFileFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
