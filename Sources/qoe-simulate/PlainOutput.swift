internal import CommandLineTool
import Foundation

/// Standard output, or a file that gets its name only when it is whole.
final class PlainOutput {
    private static let bufferSize = 1 << 20

    private let path: String?
    private let handle: FileHandle
    private var buffer = Data()

    /// - Parameter path: `-` for standard output.
    /// - Throws: `cannotCreate`.
    init(_ path: String) throws(CommandError) {
        guard path != "-" else {
            self.path = nil
            handle = .standardOutput
            return
        }
        self.path = path
        let unfinished = Self.unfinished(path)
        guard FileManager.default.createFile(atPath: unfinished, contents: nil),
            let handle = FileHandle(forWritingAtPath: unfinished)
        else {
            throw CommandError(.cannotCreate, "can't write \(path): \(String(cString: strerror(errno)))")
        }
        self.handle = handle
    }

    /// - Throws: `inputOutput`.
    func write(_ data: Data) throws(CommandError) {
        buffer.append(data)
        if buffer.count >= Self.bufferSize { try empty() }
    }

    /// - Throws: `inputOutput`.
    func finish() throws(CommandError) {
        try empty()
        guard let path else { return }
        guard rename(Self.unfinished(path), path) == 0 else {
            let reason = String(cString: strerror(errno))
            discard()
            throw CommandError(.cannotCreate, "can't write \(path): \(reason)")
        }
    }

    /// Leaves nothing behind.
    func discard() {
        if let path { unlink(Self.unfinished(path)) }
    }

    private func empty() throws(CommandError) {
        do {
            try handle.write(contentsOf: buffer)
        } catch {
            let reason = String(cString: strerror(errno))
            discard()
            throw CommandError(.inputOutput, "writing \(path ?? "standard output") failed: \(reason)")
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func unfinished(_ path: String) -> String { path + ".unfinished" }
}
