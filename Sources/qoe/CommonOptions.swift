internal import CommandLineTool

/// Options that several commands share.
enum CommonOptions {
    static let data = Option(
        "data", "DIR", environment: "QOE_DATA", initial: "./qoe-data",
        help: "The data directory: archive, quarantine and the SQLite database.")
}
