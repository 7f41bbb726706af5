import Foundation
import Synchronization
import Testing
import TestSupport

extension UnderStrain {
    @Suite("thirty thousand invented regions")
    struct InventedRegionTests {
        @Test("cost a reader neither the page nor much memory, and nobody who sends plays a second")
        func page() throws {
            let folder = try TemporaryFolder()
            let server = try ServerProcess(data: folder.path("data"))
            for part in 0..<30 {
                let events = (0..<1_000).map { number in
                    SampleBatch.event(
                        SampleBatch.newId(),
                        #""cdnRegion":"region-\#(part)-\#(number)","error":{"domain":"d\#(part)","code":\#(number)}"#)
                }
                #expect(try server.post(SampleBatch.body(events)).status == 202)
            }
            try server.waitForFollower()
            let before = server.residentBytes
            server.forgetPeak()
            let isOver = Mutex(false)
            let times = Mutex<[TimeInterval]>([])
            let port = server.port
            let group = DispatchGroup()
            Thread.inGroup(group) {
                let connection = try LoopbackConnection(port: port)
                while !isOver.withLock({ $0 }) {
                    let start = Date()
                    let body = Array(SampleBatch.body(ids: [SampleBatch.newId()]).utf8)
                    let answer = try connection.post(ServerProcess.eventsPath, body)
                    #expect(answer.status == 202)
                    times.withLock { $0.append(Date().timeIntervalSince(start)) }
                }
            }
            for _ in 0..<3 {
                let start = Date()
                let page = try server.connect().get("/")
                #expect(page.status == 200 && page.text.contains("too many groups by cdnRegion"))
                #expect(Date().timeIntervalSince(start) < 8)
                let table = try server.connect().get("/v1/reports/summary.csv")
                #expect(table.status == 200 && table.text.contains(",(other),"))
                #expect(Date().timeIntervalSince(start) < 16)
            }
            isOver.withLock { $0 = true }
            group.wait()
            #expect(times.withLock { $0.max() ?? 1 } < 1)
            #expect(server.peakBytes - before < 224 << 20, "\(before) bytes before, \(server.peakBytes) at most")
        }
    }
}
