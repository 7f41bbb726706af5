import Foundation
import Testing
import TestSupport

extension UnderStrain {
    @Suite("a server whose standard error nobody reads")
    struct BlockedLogTests {
        /// A pipe that is full, and stays so.
        private func fullPipe() -> Pipe {
            let pipe = Pipe()
            let descriptor = pipe.fileHandleForWriting.fileDescriptor
            let flags = fcntl(descriptor, F_GETFL)
            _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
            let bytes = [UInt8](repeating: 0x0A, count: 4_096)
            while write(descriptor, bytes, bytes.count) > 0 {}
            while write(descriptor, bytes, 1) > 0 {}
            _ = fcntl(descriptor, F_SETFL, flags)
            return pipe
        }

        @Test(
            "starts, takes plays, obeys signals, answers for its health and stops, and counts the lines that are dropped"
        )
        func blocked() throws {
            let folder = try TemporaryFolder()
            let pipe = fullPipe()
            try "ios wwwwwwwwwwwwwwww\n".write(toFile: folder.path("keys"), atomically: true, encoding: .utf8)
            let server = try ServerProcess(
                data: folder.path("data"), options: ["--write-keys", folder.path("keys")],
                errors: pipe.fileHandleForWriting)
            let ids = [SampleBatch.newId(), SampleBatch.newId()]
            func post(_ id: String) throws -> Int {
                try server.post(
                    SampleBatch.body(ids: [id]), fields: ["Authorization": "Bearer wwwwwwwwwwwwwwww"]
                ).status
            }
            #expect(try post(ids[0]) == 202)
            // Each reload is a line of the log.
            try waitUntil("dropped lines") {
                server.signal(SIGHUP)
                return try server.metric("qoe_log_lines_dropped_total") ?? 0 > 0
            }
            #expect(try post(ids[1]) == 202)
            #expect(try server.admin("/healthz").status == 200 && server.admin("/readyz").status == 200)
            let begin = ContinuousClock.now
            #expect(server.stop() == 0)
            #expect(ContinuousClock.now - begin < .seconds(10))
            try expectKept(ids, in: folder.path("data"))
            withExtendedLifetime(pipe) {}
        }
    }
}
