import Foundation

/// Looks for bytes in all files of a folder: as they are, and of compressed ones what is in them.
package enum FolderSearch {
    /// The files that have any of some texts, or the sixteen bytes of one that is a UUID, with what was found.
    package static func files(of folder: String, with texts: [String]) throws -> [String] {
        var wanted: [(name: String, bytes: Data)] = texts.map { ($0, Data($0.utf8)) }
        for text in texts {
            guard let id = UUID(uuidString: text) else { continue }
            wanted.append(("the bytes of \(text)", withUnsafeBytes(of: id.uuid) { Data($0) }))
            wanted.append(("the digits of \(text)", Data(text.filter { $0 != "-" }.utf8)))
        }
        var found: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
            let url = URL(fileURLWithPath: folder + "/" + path)
            // A server may be about to remove it.
            guard (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true,
                var contents = try? Data(contentsOf: url)
            else { continue }
            if path.hasSuffix(".gz") {
                contents += Data(try BuiltProgram.run("zcat", [url.path]).output.utf8)
            }
            for (name, bytes) in wanted where contents.range(of: bytes) != nil { found.append("\(path): \(name)") }
        }
        return found
    }
}
