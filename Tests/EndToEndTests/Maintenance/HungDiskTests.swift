import Foundation
import Testing
import TestSupport

@Suite("A server whose disk hangs")
struct HungDiskTests {
    /// A library that makes `fdatasync` never come back while a file is there. (strace could delay the call, but then the
    /// process would also wait for strace when it ends.)
    private static let source = """
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int fdatasync(int descriptor) {
            while (access(getenv("HANGING"), F_OK) == 0) usleep(10000);
            return syscall(SYS_fdatasync, descriptor);
        }
        """

    @Test("ends within ten seconds when told to, though not with 0, and keeps what it had acknowledged")
    func stops() throws {
        let folder = try TemporaryFolder()
        let library = folder.path("hang.so")
        let built = try BuiltProgram.run(
            "clang", ["-shared", "-fPIC", "-o", library, "-x", "c", "-"], input: Self.source)
        try #require(built.status == 0, "\(built.errors)")
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
