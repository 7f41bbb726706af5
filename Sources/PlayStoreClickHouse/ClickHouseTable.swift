internal import PlayStore

/// The tables of a ClickHouse store, as they lie on each server.
///
/// A row that comes twice replaces itself: every key is made of what the log says, never of when a row was posted.
enum ClickHouseTable: String, CaseIterable {
    /// Plays. The row of the highest version stands.
    case plays = "stored_plays"
    /// The senders' accounts.
    case accounts = "stored_accounts"
    /// Lines of plays in a chunk of the log, by hour of receipt.
    case arrivals = "stored_arrivals"
    /// Rejected events in a chunk of the quarantine's log, by hour of receipt and code.
    case rejections = "stored_rejections"
    /// Plays that went with their old day and had come on a day that stays: they have arrived all the same.
    case pruned = "stored_pruned"
    /// What was removed of old days.
    case prunings = "stored_prunings"
    /// The ingest servers that feed the store.
    case nodes = "stored_nodes"

    struct Column {
        var name: String
        var type: String
        var meaning: String
    }

    /// What a row is.
    var meaning: String {
        switch self {
        case .plays: "A row is a play; the first of several stands, and FINAL shows it alone."
        case .accounts: "A row is what a sender said with one request of the plays that it made."
        case .arrivals:
            "A row is a chunk of one server's log, an hour of receipt and a day: the plays that it brought, repeats too."
        case .rejections: "A row is a chunk of one server's quarantine, an hour of receipt and a code."
        case .pruned:
            "A row is what stays of a play whose day was removed and that had come on a day that stays: it has arrived."
        case .prunings: "A row is a removal of old days by one server."
        case .nodes: "A row is an ingest server that feeds this store."
        }
    }

    /// The engine's version column, nil where all rows of a key are the same.
    var version: String? { self == .plays ? "version" : nil }

    /// What its parts on a server go by: whole partitions can be dropped.
    var partition: String { self == .plays ? "day" : "node" }

    var key: String {
        switch self {
        case .plays: "(hour, play_id)"
        case .accounts: "(sender_id, sequence, account)"
        case .arrivals: "(hour, node, segment, offset, day)"
        case .rejections: "(hour, code, node, segment, offset)"
        case .pruned: "(arrival, play_id)"
        case .prunings: "(node, day)"
        case .nodes: "(node, number, directory)"
        }
    }

    /// Decides on the shard of a row; all rows of a key lie on one.
    var shardingKey: String {
        switch self {
        case .plays: "cityHash64(coalesce(session_id, toString(play_id)))"
        case .accounts: "cityHash64(sender_id)"
        case .arrivals, .rejections: "cityHash64(hour)"
        case .pruned: "cityHash64(arrival)"
        case .nodes, .prunings: "cityHash64(node)"
        }
    }

    /// The table over all shards.
    var distributed: String { "cluster_" + rawValue.dropFirst("stored_".count) }

    /// The one that is read and written.
    func name(cluster: String?) -> String { cluster == nil ? rawValue : distributed }

    /// In the order of the rows that are posted.
    var columns: [Column] {
        switch self {
        case .plays: Self.playColumns
        case .accounts: Self.accountColumns
        case .arrivals:
            Self.chunkColumns + [
                Column(name: "day", type: "Int32", meaning: "of the plays, UTC days since 1970"),
                Column(name: "arrivals", type: "Int64", meaning: "plays, repeats included"),
                Column(name: "conflicts", type: "Int64", meaning: "those that differ from an earlier one of the chunk"),
            ]
        case .rejections:
            Self.chunkColumns + [
                Column(name: "code", type: "String", meaning: "a code of the contract"),
                Column(name: "events", type: "Int64", meaning: "rejected events"),
            ]
        case .pruned: Self.prunedColumns
        case .prunings:
            [
                Column(name: "node", type: "String", meaning: "the server that did it"),
                Column(name: "day", type: "Int32", meaning: "the first day that stayed, UTC days since 1970"),
            ]
        case .nodes:
            [
                Column(name: "node", type: "String", meaning: "the server's name"),
                Column(name: "number", type: "Int64", meaning: "the upper bits of its arrivals' numbers"),
                Column(name: "directory", type: "String", meaning: "its data directory"),
            ]
        }
    }

    private static let chunkColumns = [
        Column(name: "hour", type: "Int32", meaning: "of receipt, UTC hours since 1970"),
        Column(name: "node", type: "String", meaning: "the server whose log it is"),
        Column(name: "segment", type: "Int64", meaning: "the log's file in which the chunk begins"),
        Column(name: "offset", type: "Int64", meaning: "and the byte"),
    ]

    private static let prunedColumns = [
        Column(name: "arrival", type: "Int64", meaning: "the number of its line in that server's log"),
        Column(name: "play_id", type: "UUID", meaning: "for whoever erases it"),
        Column(name: "received_at", type: "Int64", meaning: "ms since 1970"),
        Column(name: "cdn_region", type: "Nullable(String)", meaning: "who served it"),
        Column(name: "cdn", type: "Nullable(String)", meaning: "who served it"),
        Column(name: "network", type: "Nullable(String)", meaning: "wifi, cellular, …"),
        Column(name: "source", type: "Nullable(String)", meaning: "stream, download, …"),
        Column(name: "node", type: "String", meaning: "the server that took it in"),
    ]

    private static let accountColumns = [
        Column(name: "account", type: "Int64", meaning: "its number in the log"),
        Column(name: "sender_id", type: "String", meaning: "the sender"),
        Column(name: "sequence", type: "Int64", meaning: "the sender's number of the request"),
        Column(name: "made", type: "Int64", meaning: "plays since the sender began"),
        Column(name: "dropped", type: "Int64", meaning: "of them dropped by the sender"),
        Column(name: "rejected", type: "Int64", meaning: "of them rejected by a server"),
        Column(name: "received_at", type: "Int64", meaning: "ms since 1970"),
        Column(name: "first_arrival", type: "Int64", meaning: "the first play of its request, were there one"),
        Column(name: "last_arrival", type: "Int64", meaning: "the last, one less than the first without any"),
        Column(name: "node", type: "String", meaning: "the server that took it in"),
    ]
}
