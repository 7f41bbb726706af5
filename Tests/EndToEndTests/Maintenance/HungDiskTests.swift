import Foundation
import Testing
import TestSupport

@Suite("A server whose disk hangs")
struct HungDiskTests {
    /// A library that makes some calls never come back while a file is there. (strace could delay the call, but then the process
    /// would also wait for strace when it ends.)
    private static func library(hanging calls: [String], in folder: TemporaryFolder) throws -> String {
        let functions = calls.map { call in
            """
            int \(call)(int descriptor) {
                while (access(getenv("HANGING"), F_OK) == 0) usleep(10000);
                return syscall(SYS_\(call), descriptor);
            }

            """
        }
        let source = """
            #include <stdlib.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            \(functions.joined())
            """
        let library = folder.path("hang.so")
        let built = try BuiltProgram.run("clang", ["-shared", "-fPIC", "-o", library, "-x", "c", "-"], input: source)
        try #require(built.status == 0, "\(built.errors)")
        return library
    }

    @Test("ends at once when told to before it has begun to listen")
    func starts() throws {
        let folder = try TemporaryFolder()
        let library = try Self.library(hanging: ["fsync"], in: folder)
        let hanging = folder.path("hanging")
        _ = FileManager.default.createFile(atPath: hanging, contents: nil)
        let start = ContinuousClock.now
        // SIGTERM after a second; SIGKILL, and 137, after eight more.
        let result = try BuiltProgram.run(
            "timeout",
            [
                "--kill-after=8", "1", "env", "LD_PRELOAD=\(library)", "HANGING=\(hanging)", BuiltProgram("qoe").path,
                "serve", "--data", folder.path("data"), "--listen", ":0", "--admin-listen", ":0",
            ])
        #expect(result.status == 124, "\(result.status) \(result.errors)")
        #expect(result.output.isEmpty)
        #expect(ContinuousClock.now - start < .seconds(6))
    }

    @Test("ends with 0 all the same when only the database has to wait for it, and loads the rest after the next start")
    func stopsWithoutDatabase() throws {
        let folder = try TemporaryFolder()
        let library = try Self.library(hanging: ["fsync", "fdatasync"], in: folder)
        let (data, hanging) = (folder.path("data"), folder.path("hanging"))
        let server = try ServerProcess(data: data, environment: ["LD_PRELOAD": library, "HANGING": hanging])
        let ids = (0..<10).map { _ in SampleBatch.newId() }
        #expect(try server.post(SampleBatch.body(ids: ids)).status == 202)
        _ = FileManager.default.createFile(atPath: hanging, contents: nil)
        let start = ContinuousClock.now
        #expect(server.stop() == 0)
        #expect(ContinuousClock.now - start < .seconds(11))
        #expect(try server.count(logged: "database left behind") == 1, "\(server.log)")
        try FileManager.default.removeItem(atPath: hanging)
        try expectKeptAfterStart(ids, in: data, sent: 10)
    }

    @Test("ends within ten seconds when told to, though not with 0, and keeps what it had acknowledged")
    func stops() throws {
        let folder = try TemporaryFolder()
        let library = try Self.library(hanging: ["fdatasync"], in: folder)
        let data = folder.path("data")
        let hanging = folder.path("hanging")
        let server = try ServerProcess(data: data, environment: ["LD_PRELOAD": library, "HANGING": hanging])
        let ids = (0..<10).map { _ in SampleBatch.newId() }
        #expect(try server.post(SampleBatch.body(ids: ids)).status == 202)

        _ = FileManager.default.createFile(atPath: hanging, contents: nil)
        let body = SampleBatch.body(ids: [SampleBatch.newId()])
        let player = try server.connect()
        try player.send(
            "POST \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let ready = try server.admin("/readyz")
        #expect(ready.status == 503 && ready.text.contains("has not come back"))

        let start = ContinuousClock.now
        #expect(server.stop() == 74)
        #expect(ContinuousClock.now - start < .seconds(11))
        #expect(try server.count(logged: "not stopped in time") == 1)
        try FileManager.default.removeItem(atPath: hanging)
        try expectKeptAfterStart(ids, in: data, sent: 11)
    }
}
