import Foundation
import TestSupport
import Testing

/// A kind of ClickHouse store that is tested.
enum EngineKind: String, Sendable, CaseIterable, CustomTestStringConvertible {
    /// Two shards of 18.16.
    case sharded
    /// Two shards of 18.16, each with a replica, through ZooKeeper.
    case replicated
    /// The engine of today in one process.
    case today

    var testDescription: String { rawValue }

    /// Those that are there.
    static var running: [EngineKind] {
        guard let engines = Engines.running else { return [] }
        return engines.hasCluster ? allCases : [.today]
    }

    /// The ports of its servers.
    var ports: [String] {
        switch self {
        case .sharded: ["http1", "http2"]
        case .replicated: ["http1", "http2", "http3", "http4"]
        case .today: ["chdb"]
        }
    }

    var cluster: String? {
        switch self {
        case .sharded: "two"
        case .replicated: "pairs"
        case .today: nil
        }
    }
}

/// A store of a test's own in one of the engines; gone when the object goes.
final class EngineStore {
    let kind: EngineKind
    let engines: Engines
    let database: String
    private let qoe = BuiltProgram("qoe")

    /// - Parameter isCreated: false for a database without a table.
    init(_ kind: EngineKind, isCreated: Bool = true) throws {
        self.kind = kind
        engines = try #require(Engines.running)
        database = "qoe_" + UUID().uuidString.prefix(8).lowercased()
        if isCreated {
            var words = ["store", "create", "--store", try url()]
            if kind == .replicated { words.append("--replicated") }
            let result = try qoe.run(words)
            try #require(result.status == 0, "\(result.errors)")
        }
    }

    deinit {
        for port in kind.ports { _ = try? engines.answer("DROP DATABASE IF EXISTS \(database)", from: port) }
    }

    /// The store's URL, by way of a proxy where one is named.
    ///
    /// - Parameter ports: the ports of the hosts that are named, nil for all.
    func url(ports: [Int]? = nil, user: String? = nil, database: String? = nil) throws -> String {
        let hosts = try (ports ?? kind.ports.map(engines.port)).map { "127.0.0.1:\($0)" }
        let items = [kind.cluster.map { "cluster=\($0)" }, user.map { "user=\($0)" }].compactMap { $0 }
        return "clickhouse://\(hosts.joined(separator: ","))/\(database ?? self.database)"
            + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    /// What a query over its tables gives, from the first of its servers.
    func rows(_ sql: String, from port: String? = nil) throws -> [[String]] {
        let text = try engines.answer(
            sql.replacingOccurrences(of: "{db}", with: database), from: port ?? kind.ports[0])
        return text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    }
}

/// A data directory that feeds a store, and the command line over it.
struct FedData {
    let path: String
    /// The words that name the store; none for SQLite.
    var store: [String] = []
    private let qoe = BuiltProgram("qoe")

    init(_ path: String, store: String? = nil) {
        self.path = path
        self.store = store.map { ["--store", $0] } ?? []
    }

    @discardableResult
    func run(
        _ command: String, _ words: [String], environment: [String: String] = [:]
    ) throws -> BuiltProgram.Result {
        try qoe.run([command, "--data", path] + store + words, environment: environment)
    }

    /// The same for a command that has to go well.
    @discardableResult
    func done(_ command: String, _ words: [String] = []) throws -> String {
        let result = try run(command, words)
        try #require(result.status == 0, "\(command) \(words): \(result.status) \(result.errors)")
        return result.output
    }

    /// All seven reports as the command writes them: file → text.
    func reports(_ options: [String] = []) throws -> [String: String] {
        let folder = try TemporaryFolder()
        try done("report", ["--metric", "all", "--format", "csv", "--output", folder.path("out")] + options)
        return try Self.files(in: folder.path("out"))
    }

    static func files(in folder: String) throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            files[name] = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        }
        return files
    }

    /// An SQLite database made of the same archive, in a folder of its own.
    func rebuiltInSQLite(in folder: TemporaryFolder) throws -> FedData {
        let copy = FedData(folder.path("copy-" + UUID().uuidString))
        let files = FileManager.default
        try files.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
        for name in ["archive", "rejected"] {
            try files.copyItem(atPath: path + "/" + name, toPath: copy.path + "/" + name)
        }
        try copy.done("rebuild")
        return copy
    }

    /// Counts, sums and every figure of the store are those of its archive.
    func expectSame(
        as archive: FedData, options: [[String]] = [["--by", "day,cdnRegion"], ["--by", "hour"]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try Engines.running?.settle()
        for words in options {
            let (wanted, found) = (try archive.reports(words), try reports(words))
            #expect(wanted.count == 9, sourceLocation: sourceLocation)
            for (name, text) in wanted {
                let isSame = found[name, default: ""].utf8.elementsEqual(text.utf8)
                #expect(isSame, "\(name) \(words)", sourceLocation: sourceLocation)
            }
        }
    }
}

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
