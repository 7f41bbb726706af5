import Foundation
import Testing
import TestSupport

extension UnderStrain {
    @Suite("a full disk", .enabled(if: MountedFolder.isPossible, "mounting a small file system needs root"))
    struct FullDiskTests {
        @Test("of 1 MiB gives 503 with Retry-After, leaves whole members, lets reads and health work, and recovers")
        func full() throws {
            let disk = try MountedFolder(bytes: 1 << 20)
            let server = try ServerProcess(data: disk.path("data"))
            var acknowledged: [String] = []
            func post(_ count: Int) throws -> LoopbackConnection.Response {
                let ids = (0..<count).map { _ in SampleBatch.newId() }
                let response = try server.post(SampleBatch.body(ids: ids))
                if response.status == 202 { acknowledged += ids }
                return response
            }
            #expect(try post(100).status == 202)
            try server.waitForFollower()

            // Room for a page, so that a commit begins and does not fit.
            disk.fill("ballast")
            truncate(disk.path("ballast"), off_t(LogFolder(data: disk.path).size(of: disk.path("ballast")) - 4_096))
            let refused = try (0..<20).map { _ in try post(400) }
            #expect(refused.allSatisfy { $0.status == 503 && $0.fields["retry-after"] != nil })
            #expect(Set(refused.compactMap { $0.fields["retry-after"] }).count > 1)
            #expect(refused[0].text.contains("the disk is full"))
            disk.fill("more")

            let log = LogFolder(data: server.dataDirectory)
            #expect(try log.lines().count == 100)
            #expect(try server.admin("/healthz").status == 200)
            try waitUntil("it not to be ready", seconds: 5) { try server.admin("/readyz").status == 503 }
            #expect(try server.admin("/metrics").status == 200)
            let report = try BuiltProgram("qoe").run(["report", "--data", server.dataDirectory, "--format", "csv"])
            #expect(report.status == 0 && report.output.contains(",100,"), "\(report.errors)")
            #expect(try server.count(logged: "commits fail") == 1)

            for name in ["ballast", "more"] { try FileManager.default.removeItem(atPath: disk.path(name)) }
            #expect(try post(100).status == 202)
            try server.waitForFollower()
            try waitUntil("it to be ready") { try server.admin("/readyz").status == 200 }
            #expect(try server.count(logged: "commits succeed again") == 1)
            #expect(server.stop() == 0)
            #expect(try log.lines().count == 200)
            try expectKept(acknowledged, in: server.dataDirectory, sent: 200)
        }

        @Test("under the database alone stops no commit, and the database catches up later")
        func databaseAlone() throws {
            let disk = try MountedFolder(bytes: 2 << 20)
            let folder = try TemporaryFolder()
            let data = disk.path("data")
            // The archive lies on another disk, as an operator may lay it out.
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(atPath: data + "/archive", withDestinationPath: folder.path)
            let server = try ServerProcess(data: data)
            let ids = (0..<3_000).map { _ in SampleBatch.newId() }
            disk.fill("ballast")
            for start in stride(from: 0, to: ids.count, by: 500) {
                #expect(try server.post(SampleBatch.body(ids: Array(ids[start..<start + 500]))).status == 202)
            }
            try waitUntil("the load to fail") { try server.metric("qoe_follower_failures") ?? 0 > 0 }
            #expect(try server.metric("qoe_follower_lag_bytes") ?? 0 > 0)
            try FileManager.default.removeItem(atPath: disk.path("ballast"))
            try server.waitForFollower()
            #expect(server.stop() == 0)
            try expectKept(ids, in: data, sent: ids.count)
        }

        /// Whether the database was left in order, with its write-ahead log and the index of that, or without the index.
        enum Database: CaseIterable {
            case closed, killed, killedWithoutIndex
        }

        @Test(
            "without a free byte is emptied by prune: the archive's old files go first", arguments: Database.allCases)
        func prune(database: Database) throws {
            let disk = try MountedFolder(bytes: 4 << 20)
            let data = disk.path("data")
            let qoe = BuiltProgram("qoe")
            let folder = try TemporaryFolder()
            // Of each hour of three days: the database removes one hour after the other.
            let lines = (0..<72).map { hour in
                let events = (0..<280).map { _ in SampleBatch.event(SampleBatch.newId(), #""ageMs":60000"#) }
                let body = SampleBatch.body(events)
                return #"{"receivedAt":\#(1_582_934_700_000 + hour * 3_600_000),"body":\#(body)}"#
            }
            let path = folder.path("lines")
            try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try qoe.run(["load", "--data", data, path]).status == 0)
            let server = try ServerProcess(data: data)
            let ids = (0..<100).map { _ in SampleBatch.newId() }
            #expect(try server.post(SampleBatch.body(ids: ids)).status == 202)
            try server.waitForFollower()
            if database == .closed { #expect(server.stop() == 0) } else { server.kill() }
            if database == .killedWithoutIndex { try FileManager.default.removeItem(atPath: data + "/qoe.sqlite-shm") }

            disk.fill("ballast")
            #expect(try disk.freeBytes() == 0)
            let pruned = try qoe.run(["prune", "--data", data, "--keep-days", "30", "--archive"])
            #expect(pruned.status == 0 && pruned.output.contains("20160 plays"), "\(pruned.output)\(pruned.errors)")
            #expect(pruned.output.contains(" 3 files ("), "\(pruned.output)")
            #expect(try disk.freeBytes() > 200_000)
            let verified = try qoe.run(["verify", "--data", data])
            #expect(verified.status == 0, "\(verified.output)")
            try expectKeptAfterStart(ids, in: data, sent: 100)
        }

        @Test("at the first start leaves nothing that takes room or that a later start trips over, wherever it ended")
        func firstStart() throws {
            let qoe = BuiltProgram("qoe")
            let play = Checkout.root.path + "/sample-data/one-play.json"
            for kilobytes in [4, 8, 12, 20, 32, 48, 64, 96, 128, 192, 256, 320, 384, 448, 512, 640, 768] {
                let disk = try MountedFolder(bytes: kilobytes << 10)
                let data = disk.path("data")
                let first = try qoe.run(["load", "--data", data, play])
                #expect([0, 73, 74].contains(first.status), "\(kilobytes) KiB: \(first.errors)")
                let names = try FileManager.default.subpathsOfDirectory(atPath: data)
                #expect(!names.contains { $0.contains(".new") || $0.contains("tmp") }, "\(kilobytes) KiB: \(names)")
                try disk.resize(bytes: 8 << 20)
                let second = try qoe.run(["load", "--data", data, play])
                #expect(second.status == 0, "\(kilobytes) KiB: \(second.errors)")
                let verified = try qoe.run(["verify", "--data", data])
                #expect(verified.status == 0, "\(kilobytes) KiB: \(verified.output)")
            }
        }
    }
}
