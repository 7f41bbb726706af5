internal import Archive
internal import CommandLineTool

/// Options that several commands share.
enum CommonOptions {
    static let data = Option(
        "data", "DIR", environment: "QOE_DATA", initial: "./qoe-data",
        help: "The data directory: archive, quarantine and the SQLite database.")

    /// The data directory that ``data`` names.
    static func data(_ arguments: Arguments) -> DataPaths {
        DataPaths(arguments.text(data.name) ?? ".")
    }
}
