import Foundation
import HTTPServing
import Synchronization
import Testing
import TestSupport

@Suite("The webhook of a server")
struct WebhookTests {
    @Test("gets over IPv6 what a server could not tell before it was killed, under the same key")
    func killed() throws {
        let folder = try TemporaryFolder()
        let receiver = WebhookReceiver()
        let listener = try HTTPServer(address: "::1", port: 0, handler: receiver)
        try listener.start()
        defer { _ = listener.stop() }
        try "some: plays > 3 by cdnRegion\n".write(toFile: folder.path("slo"), atomically: true, encoding: .utf8)
        let options = ["--slo", folder.path("slo")]
        let environment = ["QOE_WEBHOOK": "http://[::1]:\(listener.port)\(WebhookReceiver.path)"]
        let load = SampleBatch.body([SampleBatch.event(SampleBatch.newId(), #""cdnRegion":"eu""#)])
        do {
            let first = try ServerProcess(data: folder.path("data"))
            #expect(try first.post(load).status == 202)
            try first.waitForFollower()
            #expect(first.stop() == 0)
        }
        let server = try ServerProcess(data: folder.path("data"), options: options, environment: environment)
        try waitUntil("an attempt") { receiver.bodies.withLock { !$0.isEmpty } }
        server.kill()
        receiver.isOpen.store(true, ordering: .relaxed)
        let before = receiver.bodies.withLock { $0.count }
        let next = try ServerProcess(data: folder.path("data"), options: options, environment: environment)
        try waitUntil("the message") { try next.metric("qoe_webhook_posts_total{outcome=\"delivered\"}") == 1 }
        let bodies = receiver.bodies.withLock { $0 }
        #expect(bodies.count == before + 1 && Set(bodies).count == 1, "\(bodies)")
        #expect(bodies[0].contains(#""state":"firing","level":"some","group":{"cdn_region": "eu"}"#), "\(bodies)")
        #expect(bodies[0].contains(#""url":"http://127.0.0.1:"#) && !bodies[0].contains("by=cdnRegion&by"))
        #expect(try next.metric("qoe_webhook_waiting") == 0)
        #expect(next.stop() == 0)
    }
}
