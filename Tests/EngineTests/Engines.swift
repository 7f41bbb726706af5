import Foundation
import Testing
import TestSupport

/// The engines that `.make/clickhouse` has started, in the folder that `QOE_ENGINES` names.
struct Engines {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Nil where nothing has been started.
    static let running: Engines? = ProcessInfo.processInfo.environment["QOE_ENGINES"].flatMap(Engines.init)

    let folder: String
    private let ports: [String: Int]

    private init?(folder: String) {
        guard let text = try? String(contentsOfFile: folder + "/ports", encoding: .utf8) else { return nil }
        self.folder = folder
        ports = Dictionary(
            text.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: "=")
                return parts.count == 2 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
            }, uniquingKeysWith: { $1 })
    }

    /// Two shards of 18.16, each with a replica, and ZooKeeper.
    var hasCluster: Bool { ports["http1"] != nil }
    /// The engine of today, in one process.
    var hasToday: Bool { ports["chdb"] != nil }

    /// - Parameter name: `http1` … `http4`, `tcp1` … `tcp4`, `chdb`.
    func port(_ name: String) throws -> Int {
        guard let port = ports[name] else { throw Failure(description: "no port \(name) in \(folder)") }
        return port
    }

    /// What a server answers to a statement, by HTTP.
    @discardableResult
    func answer(_ sql: String, from name: String) throws -> String {
        let result = try BuiltProgram.run(
            "curl",
            ["--fail", "--silent", "--show-error", "--data-binary", "@-", "http://127.0.0.1:\(try port(name))/"],
            input: sql)
        guard result.status == 0 else { throw Failure(description: "\(name): \(result.errors)") }
        return result.output
    }

    /// Waits until every server that is up has what its replica has: copies are made after an insert is answered, and a query
    /// goes to any of them.
    func settle() throws {
        for number in 1...4 where hasCluster && (try? LoopbackConnection(port: port("http\(number)"))) != nil {
            let tables = try answer("SELECT concat(database, '.', table) FROM system.replicas", from: "http\(number)")
            for table in tables.split(separator: "\n") {
                try answer("SYSTEM SYNC REPLICA \(table)", from: "http\(number)")
            }
        }
    }

    // MARK: Nodes

    /// SIGKILL: a node of the cluster is gone from one moment to the next.
    func kill(node: Int) throws {
        let file = "\(folder)/node\(node)/pid"
        let text = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let pid = Int32(text) else { throw Failure(description: "no process id in \(file)") }
        Foundation.kill(pid, SIGKILL)
        try waitUntil("node \(node) to be gone") {
            (try? LoopbackConnection(port: port("http\(node)"))) == nil
        }
    }

    /// Starts a node again that was killed, and waits until it answers.
    func start(node: Int) throws {
        let script = Checkout.root.appendingPathComponent(".make/clickhouse").path
        let result = try BuiltProgram.run(script, ["node", folder, "\(node)"])
        guard result.status == 0 else { throw Failure(description: "node \(node): \(result.errors)") }
    }
}

extension Trait where Self == ConditionTrait {
    /// Only with the cluster of 18.16: `make test-clickhouse` starts it.
    static var cluster: Self {
        .enabled(if: Engines.running?.hasCluster == true, "make test-clickhouse runs it")
    }

    /// Only with at least the engine of today, which `make test` starts too.
    static var engines: Self {
        .enabled(if: Engines.running?.hasToday == true, "make test and make test-clickhouse run it")
    }
}
