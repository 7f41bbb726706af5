import Foundation
import Testing
import TestSupport

@Suite("Archive files that are missing")
struct MissingFilesTests {
    private let folder: TemporaryFolder
    private let data: String
    private let qoe = BuiltProgram("qoe")

    /// Five files of five days, ten plays in each.
    init() throws {
        folder = try TemporaryFolder()
        data = folder.path("data")
        let lines = (0..<5).map { day in
            let body = SampleBatch.body(ids: (0..<10).map { _ in SampleBatch.newId() })
            return #"{"receivedAt":\#(1_582_970_400_000 + day * 86_400_000),"body":\#(body)}"#
        }
        let result = try run("load", file(lines))
        #expect(result.status == 0, "\(result.errors)")
    }

    private func file(_ lines: [String]) throws -> String {
        let path = folder.path("lines")
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func run(_ words: String...) throws -> BuiltProgram.Result {
        try qoe.run([words[0], "--data", data] + words.dropFirst())
    }

    private var files: [String] { LogFolder(data: data).files() }

    /// The part of a path that commands print.
    private func label(_ path: String) -> String {
        path.split(separator: "/").suffix(3).joined(separator: "/")
    }

    @Test(
        "are named by verify, stop rebuild before it changes anything, and make a server degraded",
        arguments: [[0, 1, 2], [0], [2], [4], [1, 3]])
    func missing(indices: [Int]) throws {
        let gone = indices.map { files[$0] }
        for path in gone { try FileManager.default.removeItem(atPath: path) }
        let database = try Data(contentsOf: URL(fileURLWithPath: data + "/qoe.sqlite"))

        let verified = try run("verify")
        #expect(verified.status == 1)
        for path in gone {
            #expect(verified.output.contains("wrong: \(label(path)) is missing\n"), "\(verified.output)")
        }

        let refused = try run("rebuild")
        #expect(refused.status == 65)
        for path in gone { #expect(refused.errors.contains("\(label(path)) is missing")) }
        let count = "the database has \(10 * indices.count) plays that no file has"
        #expect(refused.errors.contains(count), "\(refused.errors)")
        #expect(refused.errors.contains("--without-missing"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: data + "/qoe.sqlite")) == database)

        let server = try ServerProcess(data: data)
        let ready = try server.admin("/readyz")
        #expect(ready.status == 200)
        for path in gone { #expect(ready.text.contains(label(path))) }
        #expect(try server.count(logged: "archive incomplete") == gone.count)
        #expect(server.stop() == 0)

        let rebuilt = try run("rebuild", "--without-missing")
        #expect(rebuilt.status == 0, "\(rebuilt.errors)")
        #expect(rebuilt.output.hasPrefix("\(50 - 10 * indices.count) plays"), "\(rebuilt.output)")
        let after = try run("verify")
        #expect(after.status == 0, "\(after.output)")
    }

    @Test("but were pruned are not missed, and verify still counts what is left and what went")
    func pruned() throws {
        // The log's last file stays, whatever its day.
        for receivedAt in [946_684_800_000, 1_582_970_400_000] {
            let body = SampleBatch.body(ids: [SampleBatch.newId()])
            #expect(try run("load", file([#"{"receivedAt":\#(receivedAt),"body":\#(body)}"#])).status == 0)
        }
        #expect(try run("prune", "--keep-days", "3650", "--archive").output.contains(" 1 file ("))
        let after = try run("verify")
        #expect(after.status == 0, "\(after.output)")
        // A database that lacks what a file that is still there has is found by the count, whatever went before.
        let sql = "UPDATE totals SET arrivals = arrivals + 1, loaded = loaded + 1, pruned = pruned + 1"
        #expect(try BuiltProgram.run("python3", ["-c", Self.execute, data + "/qoe.sqlite", sql]).status == 0)
        let wrong = try run("verify")
        let count = "lines of the archive, with those of its files that were pruned"
        #expect(wrong.status == 1 && wrong.output.contains(count))
        // And one that is made anew never had them.
        #expect(try run("rebuild").status == 0)
        #expect(try run("verify").status == 0)
    }

    private static let execute = """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1])
        connection.execute(sys.argv[2])
        connection.commit()
        """

    @Test("and another server's beside them: each is named, and rebuild stops before it changes anything")
    func foreign() throws {
        let theirs = try #require(files.first).replacingOccurrences(of: "plays-main-", with: "plays-edge2-")
        try FileManager.default.copyItem(atPath: try #require(files.first), toPath: theirs)
        let words = "\(label(theirs)): a file of another server, edge2"
        let verified = try run("verify")
        #expect(verified.status == 1 && verified.output.contains(words), "\(verified.output)")
        let refused = try run("rebuild")
        #expect(refused.status == 65 && refused.errors.contains(words))
        let rebuilt = try run("rebuild", "--without-missing")
        #expect(rebuilt.status == 0 && rebuilt.output.hasPrefix("50 plays"), "\(rebuilt.output)")
        try FileManager.default.removeItem(atPath: theirs)
        #expect(try run("verify").status == 0)
    }
}
