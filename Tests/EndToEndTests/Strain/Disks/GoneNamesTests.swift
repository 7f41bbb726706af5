import Foundation
import Testing
import TestSupport

extension UnderStrain {
    @Suite("a server whose names vanish")
    struct GoneNamesTests {
        private let folder: TemporaryFolder
        private var data: String { folder.path("data") }

        init() throws {
            folder = try TemporaryFolder()
        }

        private func post(_ server: ServerProcess, _ count: Int = 1) throws -> [Int] {
            try (0..<count).map { _ in try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status }
        }

        @Test("answers 503, is not ready and says why, until they are back")
        func directoryMoved() throws {
            let server = try ServerProcess(data: data)
            #expect(try post(server, 2) == [202, 202])
            try server.waitForFollower()
            try FileManager.default.moveItem(atPath: data, toPath: folder.path("moved"))
            #expect(try post(server, 3) == [503, 503, 503])
            try waitUntil("it not to be ready", seconds: 5) { try server.admin("/readyz").status == 503 }
            #expect(try server.admin("/readyz").text.contains("another directory"))
            #expect(try server.admin("/healthz").status == 200)
            #expect(try server.count(logged: "commits fail") == 1)
            try FileManager.default.moveItem(atPath: folder.path("moved"), toPath: data)
            try waitUntil("it to be ready", seconds: 5) { try server.admin("/readyz").status == 200 }
            #expect(try post(server) == [202])
            #expect(server.stop() == 0)
            #expect(try StoredPlays(data: data).counts().count == 3)
            #expect(try BuiltProgram("qoe").run(["verify", "--data", data]).status == 0)
        }

        @Test("goes on in a new file when the open one is removed, and says what is missing")
        func fileRemoved() throws {
            let server = try ServerProcess(data: data)
            #expect(try post(server, 2) == [202, 202])
            let file = try #require(LogFolder(data: data).files().first)
            try FileManager.default.removeItem(atPath: file)
            #expect(try post(server, 10) == Array(repeating: 202, count: 10))
            #expect(try LogFolder(data: data).lines().count == 10)
            #expect(try server.count(logged: "archive file gone") == 1)
            #expect(try server.admin("/readyz").text.contains("removed or renamed while it was written"))
            #expect(server.stop() == 0)
            let verified = try BuiltProgram("qoe").run(["verify", "--data", data])
            #expect(verified.status == 1 && verified.output.contains("0000000001.ndjson.gz is missing"))
        }
    }
}
