import Foundation
import Ingest
import Synchronization
import TestSupport

/// An ingest server in this process, on free ports, with the clock that the test gives it.
final class RunningServer {
    let folder: TemporaryFolder
    let server: IngestServer
    let log: LogLines

    /// Collects the lines of the log.
    final class LogLines: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var text: String { lines.withLock { $0.joined(separator: "\n") } }
    }

    init(
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) },
        _ configure: (inout IngestConfiguration, TemporaryFolder) throws -> Void = { _, _ in }
    ) throws {
        let folder = try TemporaryFolder()
        let log = LogLines()
        var configuration = IngestConfiguration(dataDirectory: folder.path("data"))
        configuration.listen = .loopback(0)
        configuration.adminListen = .loopback(0)
        try configure(&configuration, folder)
        self.folder = folder
        self.log = log
        server = try IngestServer(configuration, now: now, log: log.add)
    }

    deinit {
        _ = server.stop()
    }

    func connect() throws -> LoopbackConnection {
        try LoopbackConnection(port: Self.port(server.address))
    }

    func connectToAdmin() throws -> LoopbackConnection {
        try LoopbackConnection(port: Self.port(server.adminAddress))
    }

    var data: String { folder.path("data") }

    private static func port(_ address: String) -> Int {
        Int(address.split(separator: ":").last ?? "") ?? 0
    }
}
