internal import CommandLineTool
import Foundation

/// Files that a command leaves: written whole under another name, then renamed, so that nobody reads half of one.
enum OutputFile {
    static func write(_ text: String, to path: String) throws(CommandError) {
        let url = URL(fileURLWithPath: path)
        do {
            try Data(text.utf8).write(to: url, options: .atomic)
        } catch {
            throw CommandError(.cannotCreate, "can't write \(path): \(reason(error))")
        }
    }

    static func makeFolder(_ path: String) throws(CommandError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandError(.cannotCreate, "can't make the folder \(path): \(reason(error))")
        }
    }

    /// What the system said.
    static func reason(_ error: any Error) -> String {
        guard let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code else { return "\(error)" }
        return String(cString: strerror(code.rawValue))
    }
}
