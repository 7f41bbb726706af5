internal import Foundation
internal import Platform

/// What an export remembers for the next one, in `export-state.json`.
struct ExportState: Codable, Sendable, Equatable {
    var definitions: Int64
    var by: [String]
    var timeZone: String
    var targetMs: Int64
    /// Which store the figures are of; nil where it has no name of its own.
    var store: String?
    /// How far its log went. This and the next two are nil in a state of version 0.1.0.
    var log: LogMark?
    /// How many plays the store had of each day in the files, and of the week before them.
    var plays: [String: Int64]?
    /// The digest of each file, by its name.
    var files: [String: String]?
    /// What the verdicts of each comparison's file are made of: by its name and day, a text a row.
    var verdicts: [String: [String: [String]]]?

    init(_ request: ExportRequest, store: String?, log: LogMark? = nil) {
        definitions = definitionsVersion
        by = request.dimensions.map(\.name)
        timeZone = request.zone.name
        targetMs = request.targetMs
        self.store = store
        self.log = log
    }

    init?(text: String) {
        guard let state = try? JSONDecoder().decode(ExportState.self, from: Data(text.utf8)) else { return nil }
        self = state
    }

    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }

    /// What an export of this state is and the next one is not, in words; nil when both are of one kind.
    func difference(from next: ExportState) -> String? {
        func list(_ names: [String]) -> String {
            names.isEmpty ? "all plays" : "groups by \(names.joined(separator: ","))"
        }
        if by != next.by { return "\(list(by)), not \(list(next.by))" }
        if timeZone != next.timeZone { return "days of \(timeZone), not of \(next.timeZone)" }
        if targetMs != next.targetMs { return "a startup target of \(targetMs) ms, not of \(next.targetMs) ms" }
        if let store, let other = next.store, store != other { return "another data directory or store" }
        return nil
    }

    /// Tells whether a file is still as it was written. It is no defence against forgery.
    static func digest(of text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Hexadecimal.text(hash, digits: 16)
    }
}

/// A place in a store's log, and what stands there: the same numbers are others' after a backup was restored.
struct LogMark: Codable, Sendable, Equatable {
    /// The number of the last play to come; 0 without one.
    var lastPlay: Int64 = 0
    /// The hour that it is in, UTC hours since 1970.
    var hour: Int64?
    var play: String?
    var lastAccount: Int64 = 0
    var account: String?
    /// What a prune of the accounts changes: how many there are, and when the first was received (ms since 1970).
    var accounts: Int64 = 0
    var firstReceipt: Int64 = 0
}
