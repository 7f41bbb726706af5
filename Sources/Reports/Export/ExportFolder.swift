internal import Foundation

/// Why an export can't begin.
package enum ExportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another export writes to the folder.
    case busy(folder: String)
    /// The folder holds an export of another kind.
    case other(folder: String, difference: String)
    /// What tells which export the folder holds can't be understood.
    case strangeState(file: String)

    package var description: String {
        switch self {
        case .other(let folder, let difference):
            "\(folder) holds an export of \(difference): name another folder, or put this one in its place with --replace"
        case .strangeState(let file):
            "\(file) can't be understood, so nobody knows what the folder holds: name another folder, or put this"
                + " export in its place with --replace"
        case .busy(let folder): "another export writes to \(folder) just now: try again when it is done"
        }
    }
}

/// The folder of an export, held by one export at a time.
struct ExportFolder {
    let path: String
    /// The folder itself, which holds the lock; the lock goes with the process.
    private let descriptor: Int32

    /// - Throws: ``ExportError`` while another export holds it, the file system's error when it can't be opened.
    init(path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.fault(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isBusy = errno == EWOULDBLOCK
            let fault = Self.fault(path)
            close(descriptor)
            throw isBusy ? ExportError.busy(folder: path) : fault
        }
    }

    func unlock() {
        close(descriptor)
    }

    /// - Returns: nil where there is no such file.
    /// - Throws: the file system's error for one that is there and can't be read.
    func read(_ name: String) throws -> String? {
        do {
            // What is no UTF-8 is no file of an export: its text then has another digest than any.
            return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    /// Writes beside the file, and then takes its place: no reader ever sees half a file.
    func write(_ text: String, to name: String) throws {
        let new = path + "/." + name + ".new"
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: new))
            guard rename(new, path + "/" + name) == 0 else { throw Self.fault(path + "/" + name) }
        } catch {
            // Half a file would take room that a full disk has not.
            unlink(new)
            throw error
        }
    }

    /// What the system said last.
    private static func fault(_ path: String) -> any Error {
        CocoaError(
            .fileWriteUnknown,
            userInfo: [
                NSFilePathErrorKey: path,
                NSUnderlyingErrorKey: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO),
            ])
    }
}
