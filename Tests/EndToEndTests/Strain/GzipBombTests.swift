import Foundation
import Synchronization
import Testing
import TestSupport

extension UnderStrain {
    @Suite("a gzip bomb")
    struct GzipBombTests {
        private static let limit = 8 << 20

        /// 1 GiB of zeros, which gzip makes into less than 1 MiB.
        private static let bomb: [UInt8] = {
            let folder = try? TemporaryFolder()
            let path = folder?.path("bomb.gz") ?? ""
            _ = try? BuiltProgram.run("sh", ["-c", "head -c 1073741824 /dev/zero | gzip -9 > \(path)"])
            return Array((try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data())
        }()

        private let folder: TemporaryFolder
        private let server: ServerProcess

        init() throws {
            folder = try TemporaryFolder()
            #expect(Self.bomb.count > 900_000 && Self.bomb.count < 1 << 20)
            server = try ServerProcess(data: folder.path("data"))
        }

        @Test("of 1 GiB is answered 413 with the limit, and costs less memory than twice that")
        func memory() throws {
            try server.post(SampleBatch.body(ids: [SampleBatch.newId()]))
            for body in [Self.bomb, withTrailer(naming: 100)] {
                let before = server.residentBytes
                server.forgetPeak()
                let response = try server.post(body, fields: ["Content-Encoding": "gzip"])
                #expect(response.status == 413)
                #expect(response.text.contains(#""error":"too_large""#))
                #expect(response.text.contains(#""limit":\#(Self.limit)"#))
                #expect(
                    server.peakBytes - before < 2 * Self.limit, "\(before) bytes before, \(server.peakBytes) at most")
            }
            #expect(try server.metric("qoe_in_flight_bytes") == 0)
        }

        @Test("does not keep others waiting, though eight come at once")
        func others() throws {
            let before = server.residentBytes
            let statuses = Mutex<[Int]>([])
            let (port, bomb) = (server.port, Self.bomb)
            let group = DispatchGroup()
            for _ in 0..<8 {
                Thread.inGroup(group) {
                    for _ in 0..<3 {
                        let connection = try LoopbackConnection(port: port)
                        let answer = try connection.post(
                            ServerProcess.eventsPath, bomb, fields: ["Content-Encoding": "gzip"])
                        statuses.withLock { $0.append(answer.status) }
                    }
                }
            }
            var good: [Int] = []
            let connection = try server.connect()
            repeat {
                let body = Array(SampleBatch.body(ids: [SampleBatch.newId()]).utf8)
                good.append(try connection.post(ServerProcess.eventsPath, body).status)
            } while group.wait(timeout: .now() + .milliseconds(5)) == .timedOut
            #expect(good.allSatisfy { $0 == 202 })
            // Without room for eight at once, some are told to come back.
            #expect(statuses.withLock { $0 }.count == 24)
            #expect(statuses.withLock { $0 }.allSatisfy { [413, 503].contains($0) })
            #expect(server.peakBytes - before < 80 << 20, "\(before) bytes before, \(server.peakBytes) at most")
            #expect(server.residentBytes - before < 16 << 20, "\(server.residentBytes) bytes are left")
        }

        @Test(
            "of a few hundred bytes that becomes megabytes of lines is counted as what it becomes",
            arguments: [true, false])
        func lines(isGood: Bool) throws {
            let value = String(repeating: #"\""#, count: 64)
            let context = ["sessionId", "cdn", "network", "appVersion", "osVersion", "deviceModel", "player"]
                .map { #""\#($0)":"\#(value)""# }.joined(separator: ",")
            let event = isGood ? SampleBatch.event() : #"{"videoId":"v"}"#
            let body = SampleBatch.body(Array(repeating: event, count: 1_000), context: "{\(context)}")
            try body.write(toFile: folder.path("body"), atomically: true, encoding: .utf8)
            _ = try BuiltProgram.run("gzip", [folder.path("body")])
            let gzipped = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("body.gz"))))
            #expect(gzipped.count < 1_000)

            try server.post(SampleBatch.body(ids: [SampleBatch.newId()]))
            let before = server.residentBytes
            server.forgetPeak()
            let statuses = Mutex<[Int]>([])
            let port = server.port
            let group = DispatchGroup()
            for _ in 0..<64 {
                Thread.inGroup(group) {
                    let answer = try LoopbackConnection(port: port).post(
                        ServerProcess.eventsPath, gzipped, fields: ["Content-Encoding": "gzip"])
                    statuses.withLock { $0.append(answer.status) }
                }
            }
            group.wait()
            let answers = statuses.withLock { $0 }
            #expect(answers.count == 64 && answers.allSatisfy { [isGood ? 202 : 400, 503].contains($0) })
            #expect(server.peakBytes - before < 128 << 20, "\(before) bytes before, \(server.peakBytes) at most")
            #expect(try server.metric("qoe_in_flight_bytes") == 0)
        }

        /// The bomb with a trailer that understates what it inflates to.
        private func withTrailer(naming bytes: UInt8) -> [UInt8] {
            Self.bomb.dropLast(4) + [bytes, 0, 0, 0]
        }
    }
}
