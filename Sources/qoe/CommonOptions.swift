internal import Archive
internal import ClickHouse
internal import CommandLineTool
import Foundation
internal import PlayStore
internal import PlayStoreClickHouse
internal import Reports

/// Options that several commands share.
enum CommonOptions {
    static let data = Option(
        "data", "DIR", environment: "QOE_DATA", initial: "./qoe-data",
        help: "The data directory: archive, quarantine and the SQLite database.")

    static let store = Option(
        "store", "URL", environment: "QOE_STORE",
        help: "A ClickHouse store in the place of the SQLite database: "
            + "clickhouse://host:8123,host2:8123/database?user=NAME&cluster=NAME, its password in QOE_CLICKHOUSE_PASSWORD."
    )

    /// The store that ``store`` names; the embedded one when nothing is said.
    static func store(_ arguments: Arguments) throws(CommandError) -> any StoreChoice {
        guard let client = try clickHouse(arguments) else { return EmbeddedChoice() }
        return ClickHouseChoice(client)
    }

    /// A client of the ClickHouse store that ``store`` names, if it does.
    ///
    /// - Parameter cluster: in the place of the URL's.
    static func clickHouse(
        _ arguments: Arguments, cluster: String? = nil
    ) throws(CommandError) -> ClickHouseClient? {
        guard let text = arguments.text(store.name) else { return nil }
        var url: ClickHouseURL
        do throws(ClickHouseURLError) {
            url = try ClickHouseURL(text)
        } catch {
            // The text itself may hold a password that does not belong there.
            throw arguments.fault(store.name, said: "the URL \(error.description)")
        }
        if let cluster {
            guard ClickHouseURL.isClusterName(cluster), url.cluster ?? cluster == cluster else {
                throw arguments.fault("cluster", "should be the name in <remote_servers>, the same as in --store")
            }
            url.cluster = cluster
        }
        return ClickHouseClient(url, password: ProcessInfo.processInfo.environment["QOE_CLICKHOUSE_PASSWORD"])
    }

    static let node = Option(
        "node", "NAME", environment: "QOE_NODE", initial: "main",
        help: "This server's name in the archive's file names, and among the servers that feed one ClickHouse store: "
            + "letters, digits, - and _.")

    static func node(_ arguments: Arguments) throws(CommandError) -> NodeName {
        guard let node = NodeName(arguments.text(node.name) ?? "") else {
            throw arguments.fault(node.name, "should be 1 to 32 letters, digits, - and _")
        }
        return node
    }

    /// The data directory that ``data`` names.
    static func data(_ arguments: Arguments) -> DataPaths {
        DataPaths(arguments.text(data.name) ?? ".")
    }
}

extension CommonOptions {
    static let errorClasses = Option(
        "error-classes", "FILE", environment: "QOE_ERROR_CLASSES",
        help: "More rules of what kind of trouble an error code is, before the program's own: a line CODE CLASS, "
            + "the class one of \(ErrorClasses.Kind.allCases.map(\.rawValue).joined(separator: ", ")); CODE may "
            + "end in *. Failures of viewers who were offline accuse nobody.")

    /// The classes in the file that ``errorClasses`` names, before the program's own; these alone when nothing is said.
    ///
    /// - Parameters:
    ///   - missing: the exit code where the file can't be read.
    ///   - wrong: where a line of it is no rule.
    static func errorClasses(
        _ arguments: Arguments, missing: ExitCode = .noInput, wrong: ExitCode = .badData
    ) throws(CommandError) -> ErrorClasses {
        guard let path = arguments.text(errorClasses.name) else { return .standard }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError(missing, "can't read the error classes in \(path)")
        }
        do throws(ReportRequestError) {
            return try ErrorClasses(table: String(decoding: data, as: UTF8.self))
        } catch {
            throw CommandError(wrong, "\(path): \(error.description)")
        }
    }
}
