import Foundation
import Testing
import TestSupport

/// The files of one `qoe sample-config`, in a folder of their own, to be changed where they name this machine's things.
struct SampleConfigFolder {
    let folder: TemporaryFolder

    init(_ name: String) throws {
        folder = try TemporaryFolder()
        let result = try BuiltProgram("qoe").run(["sample-config", name, "--output", folder.path])
        try #require(result.status == 0, "\(result.errors)")
    }

    func path(_ file: String) -> String { folder.path(file) }

    func text(_ file: String) throws -> String {
        try String(contentsOfFile: path(file), encoding: .utf8)
    }

    /// Changes a file. Every text that is to be replaced must be there.
    func edit(_ file: String, _ changes: [(old: String, new: String)]) throws {
        var text = try text(file)
        for change in changes {
            try #require(text.contains(change.old), "\(file) has no \(change.old)")
            text = text.replacingOccurrences(of: change.old, with: change.new)
        }
        try text.write(toFile: path(file), atomically: true, encoding: .utf8)
    }
}
