import Foundation
import Testing
import TestSupport

extension UnderStrain {
    @Suite("a failing disk")
    struct FailingDiskTests {
        private let folder: TemporaryFolder
        private var data: String { folder.path("data") }
        private var log: LogFolder { LogFolder(data: data) }

        init() throws {
            folder = try TemporaryFolder()
        }

        @Test(
            "whose sync fails once gets no further byte into that file, acknowledges nothing of it, and goes on in a new one"
        )
        func syncFailsOnce() throws {
            let server = try ServerProcess(data: data)
            var (acknowledged, refused): ([String], [String]) = ([], [])
            func post() throws -> Int {
                let ids = (0..<10).map { _ in SampleBatch.newId() }
                let status = try server.post(SampleBatch.body(ids: ids)).status
                if status == 202 { acknowledged += ids } else { refused += ids }
                return status
            }
            for _ in 0..<3 { #expect(try post() == 202) }
            let first = try #require(log.files().first)
            let size = log.size(of: first)

            let strace = try StraceAttachment(server, "fdatasync", "error=EIO", paths: [first])
            #expect(try post() == 503)
            #expect(try post() == 202)
            strace.detach()
            for _ in 0..<3 { #expect(try post() == 202) }
            #expect(log.size(of: first) == size)
            #expect(log.files().count == 2)
            #expect(try server.count(logged: "commits fail") == 1)
            try server.waitForFollower()
            server.kill()

            try expectKeptAfterStart(acknowledged, in: data)
            let counts = try StoredPlays(data: data).counts()
            #expect(refused.allSatisfy { counts[$0] == nil })
            let rebuilt = try BuiltProgram("qoe").run(["rebuild", "--data", data])
            #expect(rebuilt.status == 0, "\(rebuilt.errors)")
            try expectKept(acknowledged, in: data)
        }

        @Test("whose every sync fails acknowledges nothing, is not ready but lives, and comes back by itself")
        func everySyncFails() throws {
            let server = try ServerProcess(data: data)
            let first = (0..<10).map { _ in SampleBatch.newId() }
            #expect(try server.post(SampleBatch.body(ids: first)).status == 202)
            let strace = try StraceAttachment(server, "fdatasync,fsync", "error=EIO")
            for _ in 0..<5 {
                let refused = try server.post(SampleBatch.body(ids: [SampleBatch.newId()]))
                #expect(refused.status == 503)
                #expect(refused.fields["retry-after"] != nil)
            }
            try waitUntil("it not to be ready", seconds: 5) { try server.admin("/readyz").status == 503 }
            #expect(try server.admin("/healthz").status == 200)
            #expect(try server.metric("qoe_last_commit_good") == 0)
            strace.detach()
            try waitUntil("it to be ready", seconds: 5) { try server.admin("/readyz").status == 200 }
            let last = (0..<10).map { _ in SampleBatch.newId() }
            #expect(try server.post(SampleBatch.body(ids: last)).status == 202)
            server.kill()
            try expectKeptAfterStart(first + last, in: data, sent: 20)
        }

        @Test("on which a file can't even be cut back ends the process, which starts again as if it had been killed")
        func cutFails() throws {
            let server = try ServerProcess(data: data)
            let first = (0..<10).map { _ in SampleBatch.newId() }
            #expect(try server.post(SampleBatch.body(ids: first)).status == 202)
            let file = try #require(log.files().first)
            let strace = try StraceAttachment(server, "fdatasync,ftruncate", "error=EIO", paths: [file])
            #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 503)
            #expect(try server.waitForExit(seconds: 15) > 0)
            #expect(try server.count(logged: "archive needs a restart") == 1)
            strace.detach()
            // The last batch may be there: it was written, and nobody was told that it is not.
            try expectKeptAfterStart(first, in: data, sent: 11)
        }

        @Test("that hangs lets the readiness answer 503 in time, again and again, and liveness 200")
        func hangs() throws {
            let server = try ServerProcess(data: data)
            let strace = try StraceAttachment(server, "fdatasync", "delay_enter=12000000")
            let start = Date()
            for _ in 0..<24 {
                let asked = Date()
                #expect(try server.admin("/readyz").status == 503)
                #expect(Date().timeIntervalSince(asked) < 5)
                #expect(try server.admin("/healthz").status == 200)
                if Date().timeIntervalSince(start) > 8 { break }
            }
            strace.detach()
            try waitUntil("it to be ready") { try server.admin("/readyz").status == 200 }
        }

        @Test("that turns read-only makes it unready within 5 s and leaves it alive, until a durable write succeeds")
        func readOnly() throws {
            let server = try ServerProcess(data: data)
            let first = (0..<10).map { _ in SampleBatch.newId() }
            #expect(try server.post(SampleBatch.body(ids: first)).status == 202)
            try server.waitForFollower()
            #expect(try server.admin("/readyz").status == 200)

            let file = try #require(log.files().first)
            let strace = try StraceAttachment(
                server, "openat,pwrite64,write,fdatasync,fsync", "error=EROFS", paths: [file, log.path + "/.probe"])
            let start = Date()
            try waitUntil("it not to be ready", seconds: 5) { try server.admin("/readyz").status == 503 }
            #expect(try server.admin("/readyz").text.contains("Read-only file system"))
            for _ in 0..<3 { #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 503) }
            repeat {
                #expect(try server.admin("/healthz").status == 200)
                #expect(try server.admin("/readyz").status == 503)
                usleep(100_000)
            } while Date().timeIntervalSince(start) < 3
            strace.detach()
            try waitUntil("it to be ready", seconds: 5) { try server.admin("/readyz").status == 200 }
            let last = (0..<10).map { _ in SampleBatch.newId() }
            #expect(try server.post(SampleBatch.body(ids: last)).status == 202)
            #expect(server.stop() == 0)
            try expectKept(first + last, in: data, sent: 20)
        }

        @Test(
            "under the archive's readers or the database costs no acknowledgement, and what is missing is loaded later",
            arguments: ["pread64", "pwrite64,fdatasync"])
        func followerFails(calls: String) throws {
            let server = try ServerProcess(data: data)
            let first = (0..<10).map { _ in SampleBatch.newId() }
            #expect(try server.post(SampleBatch.body(ids: first)).status == 202)
            try server.waitForFollower()
            let database = data + "/qoe.sqlite"
            let paths = calls == "pread64" ? log.files() : [database, database + "-wal"]
            let strace = try StraceAttachment(server, calls, "error=EIO", paths: paths)
            let load = PlayLoad(eventsPerBatch: 6)
            let players = load.start(port: server.port, connections: 2)
            try waitUntil("loads to fail") { try server.metric("qoe_follower_failures") ?? 0 > 2 }
            #expect(try server.admin("/readyz").status == 200)
            load.stop()
            #expect(players.wait(timeout: .now() + 30) == .success)
            #expect(Set(load.answers.keys) == [202])
            #expect(try server.metric("qoe_follower_lag_bytes") ?? 0 > 0)
            strace.detach()
            try server.waitForFollower()
            #expect(try server.count(logged: "archive damaged") == 0)
            #expect(server.stop() == 0)
            try expectKept(first + load.acknowledged, in: data, sent: 10 + load.sent)
            #expect(try BuiltProgram("qoe").run(["verify", "--data", data]).status == 0)
        }

        @Test("that allows no longer file gives 503 and lets the process live")
        func fileSizeLimit() throws {
            let server = try ServerProcess(data: data, wrapper: ["prlimit", "--fsize=800000"])
            var acknowledged: [String] = []
            var status = 202
            for _ in 0..<40 where status == 202 {
                let ids = (0..<1_000).map { _ in SampleBatch.newId() }
                status = try server.post(SampleBatch.body(ids: ids)).status
                if status == 202 { acknowledged += ids }
            }
            #expect(status == 503)
            #expect(try server.admin("/healthz").status == 200)
            #expect(server.stop() == 0)
            #expect(acknowledged.count > 1_000)
            try expectKeptAfterStart(acknowledged, in: data, sent: 40_000)
        }

        @Test(
            "that is read-only at the start is refused with a clear text",
            .enabled(if: MountedFolder.isPossible, "mounting a small file system needs root"))
        func readOnlyAtStart() throws {
            let disk = try MountedFolder(bytes: 4 << 20)
            let data = disk.path("data")
            try expectKeptAfterStart([], in: data)
            try disk.setWritable(false)
            let failure = #expect(throws: ServerProcess.Failure.self) { try ServerProcess(data: data) }
            #expect(failure?.description.contains("Read-only file system") == true, "\(String(describing: failure))")
            try disk.setWritable(true)
            try expectKeptAfterStart([], in: data)
        }
    }
}
