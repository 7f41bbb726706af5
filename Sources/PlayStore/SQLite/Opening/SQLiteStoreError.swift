package import SQLite

/// Why the embedded database can't be used as it is.
package enum SQLiteStoreError: Error, Sendable, CustomStringConvertible {
    /// There is none, though the archive has plays.
    case missing(path: String)
    /// The queries of a report took longer than they may.
    case outOfPatience
    /// There is none to read.
    case absent(path: String)
    /// The file is no database, or one of something else.
    case foreign(path: String, reason: String)
    /// It has been made by another version of this program, and can't be raised to this one's layout.
    case otherLayout(path: String, found: Int64)
    /// It has been made by an older version of this program, and the next one that writes to it raises it.
    case olderLayout(path: String, found: Int64)
    /// It is the database of another data directory.
    case otherDirectory(path: String)
    /// The file can't be opened or read.
    case unreadable(path: String, SQLiteError)

    /// The system doesn't let this process read all of it.
    case denied(path: String, reason: String)
    /// A writer came while it was read as one that nobody changes.
    case changed(path: String)

    /// Somebody else has it for now: nothing is wrong with it.
    package var isBusy: Bool {
        switch self {
        case .unreadable(_, let error): error.isBusy
        case .changed: true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .missing(let path):
            "there is no database at \(path), though the archive has files: 'qoe rebuild' makes it anew from the archive"
        case .outOfPatience:
            "the report takes too long: ask for fewer days or groups"
        case .absent(let path):
            "there is no database at \(path): name the data directory of a server or of 'qoe load' with --data"
        case .foreign(let path, let reason):
            "\(path) is not the database of this data directory (\(reason)): move it away, then 'qoe rebuild' makes it"
                + " anew from the archive"
        case .otherLayout(let path, let found):
            "\(path) has layout \(found), this program needs \(StoreSchema.version):"
                + " 'qoe rebuild' makes it anew from the archive"
        case .olderLayout(let path, let found):
            "\(path) has layout \(found), this program needs \(StoreSchema.version): the next 'qoe serve' or 'qoe load'"
                + " of this program raises it in place"
        case .otherDirectory(let path):
            "\(path) is the database of another data directory: put this one's back, or 'qoe rebuild' makes it anew from"
                + " the archive"
        case .unreadable(let path, let error):
            "cannot open the database \(path): \(error.message)"
        case .denied(let path, let reason):
            "cannot read the database \(path): \(reason)"
        case .changed(let path):
            "somebody began to write to \(path) while it was read: try again"
        }
    }
}
