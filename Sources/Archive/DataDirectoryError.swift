/// Why a data directory can't be written.
package enum DataDirectoryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another process writes it, whose number is known or not.
    case busy(path: String, process: Int32?)
    case unusable(FileError)

    package var description: String {
        switch self {
        case .busy(let path, let process):
            let owner = process.map { "process \($0)" } ?? "another process"
            return "the data directory is in use: \(owner) holds \(path); stop it first, or choose another --data"
        case .unusable(let fault):
            return fault.description
        }
    }
}
