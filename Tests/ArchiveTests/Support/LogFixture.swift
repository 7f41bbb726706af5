import Archive
import Foundation
import Gzip
import TestSupport

/// A data directory of one test, with what tests do to it.
struct LogFixture {
    /// 2026-11-30T12:00:00Z, ms since 1970.
    static let noon: Int64 = 1_796_040_000_000
    static let dayMs: Int64 = 86_400_000

    /// As a server has it, but without waiting for the disk.
    static var unsynced: CommitterConfiguration {
        var configuration = CommitterConfiguration()
        configuration.files.sync = { _ in 0 }
        configuration.files.syncData = { _ in 0 }
        return configuration
    }

    let folder: TemporaryFolder
    let paths: DataPaths

    /// - Parameter made: with its folders, as a server leaves it that has committed nothing.
    init(made: Bool = false) throws {
        folder = try TemporaryFolder()
        paths = DataPaths(folder.path("data"))
        if made { _ = try DataDirectory(paths.root, files: Self.unsynced.files) }
    }

    /// The directory, opened for writing as a command does.
    func directory(_ files: FileCalls = unsynced.files) throws -> DataDirectory {
        try DataDirectory(paths.root, files: files)
    }

    /// A committer that is stopped, and its directory freed, when `body` returns.
    @discardableResult
    func withCommitter<Result>(
        _ configuration: CommitterConfiguration = unsynced, _ body: (Committer) throws -> Result
    ) throws -> Result {
        let directory = try directory()
        let committer = try Committer(directory: directory, configuration: configuration)
        defer { committer.stop() }
        return try body(committer)
    }

    /// Commits each text as a request of its own.
    func commit(_ texts: [String], _ configuration: CommitterConfiguration = unsynced) throws {
        try withCommitter(configuration) { committer in
            for text in texts { try committer.commit(Self.play(text)) }
        }
    }

    static func play(_ text: String, at receivedAt: Int64 = noon) -> LogLines {
        LogLines(plays: Array((text + "\n").utf8), receivedAt: receivedAt)
    }

    static func report(_ text: String, at receivedAt: Int64 = noon) -> LogLines {
        LogLines(reports: Array((text + "\n").utf8), receivedAt: receivedAt)
    }

    static func rejection(_ text: String, at receivedAt: Int64 = noon) -> LogLines {
        LogLines(rejected: Array((text + "\n").utf8), receivedAt: receivedAt)
    }

    // MARK: What the log holds

    struct Content: Equatable {
        var texts: [String] = []
        var damage: [LogDamage] = []
        var end = LogPosition.beginning
    }

    /// Follows the log from a place to its end, in chunks of at most about so many bytes.
    func follow(
        _ kind: LogKind = .plays, from position: LogPosition = .beginning, maxBytes: Int = 1 << 20
    ) throws -> Content {
        try Self.follow(LogReader(directory: paths.log(kind), log: kind), from: position, maxBytes: maxBytes)
    }

    static func follow(
        _ reader: LogReader, from position: LogPosition = .beginning, upTo end: LogPosition? = nil,
        maxBytes: Int = 1 << 20
    ) throws -> Content {
        var content = Content(end: position)
        while let chunk = try reader.next(after: content.end, upTo: end, maxBytes: maxBytes) {
            content.texts += String(decoding: chunk.lines, as: UTF8.self).split(separator: "\n").map(String.init)
            content.damage += chunk.damage
            content.end = chunk.end
        }
        return content
    }

    /// Paths below the log's folder, in the log's order.
    func files(_ kind: LogKind = .plays) throws -> [String] {
        try SegmentList(directory: paths.log(kind), kind: kind).segments.map(\.path)
    }

    func read(_ file: String, _ kind: LogKind = .plays) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: paths.log(kind) + "/" + file)))
    }

    func write(_ bytes: [UInt8], _ file: String, _ kind: LogKind = .plays) throws {
        let url = URL(fileURLWithPath: paths.log(kind) + "/" + file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Changes the bytes of a file.
    func alter(_ file: String, _ kind: LogKind = .plays, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try read(file, kind)
        change(&bytes)
        try write(bytes, file, kind)
    }

    /// One gzip member with a line for each text.
    static func member(_ texts: [String]) -> [UInt8] {
        LineCompressor().member(Array(texts.map { $0 + "\n" }.joined().utf8))
    }

    /// One gzip member with a text that no LF ends.
    static func unended(_ text: String) -> [UInt8] {
        LineCompressor().member(Array(text.utf8))
    }

    /// What the files of a log hold, read without any leniency.
    func inflated(_ kind: LogKind = .plays) throws -> [String] {
        try files(kind).flatMap { file in
            let lines = try Gunzip.inflate(try read(file, kind), limit: 64 << 20)
            return String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    /// What the system's `zcat` says of the files of a log, nil when it refuses one.
    func zcat(_ kind: LogKind = .plays) throws -> [String]? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = try ["zcat"] + files(kind).map { paths.log(kind) + "/" + $0 }
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        if process.terminationStatus != 0 { return nil }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
