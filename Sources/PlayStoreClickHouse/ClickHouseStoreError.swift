package import ClickHouse
package import PlayStore

/// Why a ClickHouse store can't be used with a data directory as it is.
package enum ClickHouseStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// This data directory feeds no ClickHouse store.
    case absentRecord(path: String)
    /// The archive has plays, and nothing says how many of them the store has.
    case noRecord(path: String)
    /// The record has been made by another version of this program, or is none.
    case foreignRecord(path: String, reason: String)
    /// The record knows less than the store has: it was restored, or the data directory was copied.
    case oldRecord
    /// Emptying the store for a rebuild did not come to its end.
    case unfinishedRebuild
    /// The tables are of another layout.
    case otherLayout(found: Int64)
    /// The tables are not there, or not all of them.
    case noLayout(database: String)
    /// The tables were made for another cluster than the URL names.
    case otherCluster(made: String, named: String)
    /// The record is about another store.
    case otherStore
    /// The data directory does not feed this store, or has not yet.
    case notFed
    /// Two data directories feed the store under one name.
    case nodeTaken(String)
    /// Two names have the same number.
    case nodeNumberTaken(String, other: String)
    /// A table is there already, and not of the engine that was asked for.
    case otherEngine(String, host: String, String)
    /// Rows of this server are left on some host though they were removed everywhere.
    case rowsLeft([String])

    package var description: String {
        switch self {
        case .absentRecord(let path):
            "there is no record of what ClickHouse has at \(path): name the data directory of a server that feeds the store"
                + " with --data"
        case .noRecord(let path):
            "there is no record of what ClickHouse has at \(path), though the archive has files: 'qoe rebuild --store …'"
                + " loads all of it, with --node NAME where this server has fed the store before as NAME"
        case .foreignRecord(let path, let reason):
            "\(path) is not this program's record of what ClickHouse has (\(reason)): move it away, then 'qoe rebuild"
                + " --store … --node NAME' loads everything anew, NAME being this server's (main, where it was given none)"
        case .oldRecord:
            "ClickHouse has more of this server's plays than the data directory's record says: it was restored from an older"
                + " copy, or runs twice. 'qoe rebuild --store …' loads all of it anew"
        case .unfinishedRebuild:
            "a rebuild did not come to its end: 'qoe rebuild --store …' begins again"
        case .otherLayout(let found):
            "ClickHouse's tables have layout \(found), this program needs \(ClickHouseSchema.version): make them in another"
                + " database with 'qoe store create', then 'qoe rebuild --store …' loads everything there"
        case .noLayout(let database):
            "ClickHouse's database \(database) has no tables of this program: 'qoe store create --store …' makes them"
        case .otherCluster(let made, let named):
            "ClickHouse's tables were made \(Self.cluster(made)), and --store names \(Self.cluster(named)): say"
                + " \(made.isEmpty ? "no cluster=" : "cluster=\(made)") in --store"
        case .otherStore:
            "this data directory has fed another ClickHouse store: 'qoe rebuild --store …' loads this one"
        case .notFed:
            "this data directory does not feed the ClickHouse store of --store: days are removed from the directory of a"
                + " server that does"
        case .nodeTaken(let name):
            "another data directory feeds this store as \(name), or this one did before its clickhouse.sqlite was lost: then"
                + " 'qoe rebuild --store … --node \(name)' takes the name over and loads all anew. Else give this server a"
                + " --node of its own, and load it with that"
        case .nodeNumberTaken(let name, let other):
            "the node names \(name) and \(other) can't be told apart in this store: take another --node"
        case .otherEngine(let table, let host, let engine):
            "the table \(table) on \(host) was there as a \(engine): run the command"
                + " \(engine.hasPrefix("Replicated") ? "with" : "without") --replicated, or make all tables in another database"
        case .rowsLeft(let hosts):
            "rows of this server are left on \(hosts.joined(separator: ", ")): name every server of the cluster in --store"
        }
    }

    private static func cluster(_ name: String) -> String {
        name.isEmpty ? "for no cluster" : "for the cluster \(name)"
    }
}

extension ClickHouseStoreError: StoreError, TransientError {
    package var failure: StoreFailure { StoreFailure(.other, description) }

    package var isTransient: Bool { false }
}

extension ClickHouseError: StoreError, TransientError {
    package var failure: StoreFailure { StoreFailure(isTransient ? .passing : .other, description) }
}
