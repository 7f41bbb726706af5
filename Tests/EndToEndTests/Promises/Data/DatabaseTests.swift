import Foundation
import Testing
import TestSupport

@Suite("A data directory whose database")
struct DatabaseTests {
    private let folder: TemporaryFolder
    private let qoe = BuiltProgram("qoe")
    private var data: String { folder.path("data") }
    private var database: String { data + "/qoe.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        let server = try ServerProcess(data: data)
        let id = SampleBatch.newId()
        for (region, startup) in [("eu-west", 300), ("eu-west", 700), ("us-east", 2_000), ("ap-south", 90)] {
            let event = SampleBatch.event(nil, #""cdnRegion":"\#(region)","sessionId":"s1""#)
                .replacingOccurrences(of: "400", with: "\(startup)")
            #expect(try server.post(SampleBatch.body([event, SampleBatch.event(id), "{}"])).status == 202)
        }
        try server.waitForFollower()
        #expect(server.stop() == 0)
    }

    /// Every CSV file of every report, by its name.
    private func reports(to name: String) throws -> [String: Data] {
        let result = try qoe.run([
            "report", "--data", data, "--by", "day,cdnRegion", "--metric", "all", "--format", "csv", "--output",
            folder.path(name),
        ])
        #expect(result.status == 0, "\(result.errors)")
        var files: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path(name)) {
            files[file] = try Data(contentsOf: URL(fileURLWithPath: folder.path(name) + "/" + file))
        }
        return files
    }

    private func write(_ bytes: Data, at offset: UInt64) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: database))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: bytes)
        try file.close()
    }

    /// What may happen to the file, with a word that the refusal has to hold.
    enum Mishap: String, CaseIterable {
        case removed, emptied, text, foreign, otherVersion, torn

        var word: String {
            switch self {
            case .removed, .emptied: "there is no database"
            case .text, .foreign, .torn: "not the database"
            case .otherVersion: "layout 77"
            }
        }
    }

    private func happen(_ mishap: Mishap) throws {
        for companion in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + companion) }
        switch mishap {
        case .removed: try FileManager.default.removeItem(atPath: database)
        case .emptied: #expect(truncate(database, 0) == 0)
        case .text: try "no database\n".write(toFile: database, atomically: true, encoding: .utf8)
        case .foreign:
            try FileManager.default.removeItem(atPath: database)
            #expect(try BuiltProgram.run("python3", ["-c", Self.foreign, database]).status == 0)
        case .otherVersion: try write(Data([0, 0, 0, 77]), at: 60)
        case .torn: try write(Data(repeating: 0xa5, count: 4_096), at: 0)
        }
    }

    private static let foreign = """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1])
        connection.execute("CREATE TABLE plays (a)")
        connection.commit()
        """

    @Test(
        "is missing or overwritten is refused with a clear text, and rebuild restores the same reports byte for byte",
        arguments: Mishap.allCases)
    func refused(mishap: Mishap) throws {
        let before = try reports(to: "before")
        #expect(before.count >= 5)
        try happen(mishap)

        let failure = #expect(throws: ServerProcess.Failure.self) { try ServerProcess(data: data) }
        let text = failure?.description ?? ""
        #expect(text.contains(mishap.word) && text.contains("qoe rebuild"), "\(text)")
        let load = try qoe.run(["load", "--data", data, Checkout.root.path + "/sample-data/one-play.json"])
        #expect(load.status == 78 && load.errors.contains(mishap.word), "\(load.status): \(load.errors)")
        let report = try qoe.run(["report", "--data", data])
        #expect([66, 78].contains(report.status) && report.output.isEmpty, "\(report.status): \(report.errors)")
        #expect(
            report.errors.contains(mishap.word) && report.errors.split(separator: "\n").count == 1, "\(report.errors)")

        let rebuilt = try qoe.run(["rebuild", "--data", data])
        #expect(rebuilt.status == 0, "\(rebuilt.errors)")
        #expect(try reports(to: "after") == before)
        let server = try ServerProcess(data: data)
        #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202)
        #expect(server.stop() == 0)
    }

    @Test("has a damaged page in its middle is never believed: verify says so, and rebuild mends it")
    func damagedPage() throws {
        let before = try reports(to: "before")
        let pages = LogFolder(data: data).size(of: database) / 16_384
        for page in 1..<pages { try write(Data(repeating: 0x5a, count: 1_000), at: UInt64(page) * 16_384 + 15_384) }
        let verified = try qoe.run(["verify", "--data", data])
        #expect(verified.status == 1, "\(verified.output)")
        #expect(try qoe.run(["rebuild", "--data", data]).status == 0)
        #expect(try reports(to: "after") == before)
        #expect(try qoe.run(["verify", "--data", data]).status == 0)
    }

    @Test("is that of another directory is refused, found by verify, and mended by rebuild")
    func othersDatabase() throws {
        let before = try reports(to: "before")
        let other = folder.path("other")
        let server = try ServerProcess(data: other)
        for _ in 0..<4 { try server.post(SampleBatch.body(ids: [SampleBatch.newId(), SampleBatch.newId()])) }
        try server.waitForFollower()
        #expect(server.stop() == 0)
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.copyItem(atPath: other + "/qoe.sqlite", toPath: database)
        let failure = #expect(throws: ServerProcess.Failure.self) { try ServerProcess(data: data) }
        #expect(failure?.description.contains("another data directory") == true)
        let report = try qoe.run(["report", "--data", data])
        #expect(report.status == 78 && report.errors.contains("another data directory"))
        let verified = try qoe.run(["verify", "--data", data])
        #expect(verified.status == 1 && verified.output.contains("another data directory"), "\(verified.output)")
        #expect(try qoe.run(["rebuild", "--data", data]).status == 0)
        #expect(try reports(to: "after") == before)
    }

    @Test("has a server is let alone by every other")
    func locked() throws {
        let server = try ServerProcess(data: data)
        let failure = #expect(throws: ServerProcess.Failure.self) { try ServerProcess(data: data) }
        #expect(failure?.description.contains("in use") == true)
        for command in ["load", "rebuild"] {
            let words = [command, "--data", data] + (command == "load" ? ["/dev/null"] : [])
            let result = try qoe.run(words)
            #expect(result.status == 75 && result.errors.contains("in use"), "\(result.errors)")
        }
        // Also when somebody has removed what says so.
        try FileManager.default.removeItem(atPath: data + "/lock")
        #expect(try qoe.run(["rebuild", "--data", data]).status == 75)
        #expect(server.stop() == 0)
    }
}
