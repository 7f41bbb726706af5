import Foundation
import Ingest
import Testing
import TestSupport

@Suite("The script for web pages")
struct ScriptRouteTests {
    private static let page = "https://player.example"

    /// Nothing else is to be had from this server without a key.
    private func connect() throws -> (RunningServer, LoopbackConnection) {
        let running = try RunningServer(now: { 1_796_000_000_000 }) { configuration, folder in
            let keys = folder.path("keys")
            try "team wwwwwwwwwwwwwwww\n".write(toFile: keys, atomically: true, encoding: .utf8)
            configuration.writeKeyFile = keys
            configuration.readKeyFile = keys
            configuration.corsOrigins = [Self.page]
        }
        return (running, try running.connect())
    }

    @Test("is served without a key, as the file that the documentation points to")
    func served() throws {
        let source = try Data(contentsOf: Checkout.root.appendingPathComponent("Sources/Ingest/Web/qoe-video.js"))
        let (running, connection) = try connect()
        let response = try connection.get("/qoe-video.js", fields: ["Origin": Self.page])
        #expect(response.status == 200 && Data(response.text.utf8) == source)
        #expect(response.fields["content-type"] == "text/javascript; charset=utf-8")
        #expect(response.fields["x-content-type-options"] == "nosniff")
        // For pages that isolate themselves, and for those that name the script's digest.
        #expect(response.fields["cross-origin-resource-policy"] == "cross-origin")
        #expect(response.fields["access-control-allow-origin"] == Self.page)
        #expect(response.fields["access-control-allow-credentials"] == nil)
        _ = running.server.stop()
    }

    @Test("is not sent again while it is the same")
    func entityTag() throws {
        let (running, connection) = try connect()
        let first = try connection.get("/qoe-video.js")
        let tag = try #require(first.fields["etag"])
        #expect(first.fields["cache-control"] == "public, max-age=3600")
        let unchanged = try connection.get("/qoe-video.js", fields: ["If-None-Match": "W/\(tag), \"other\""])
        #expect(unchanged.status == 304 && unchanged.text.isEmpty && unchanged.fields["etag"] == tag)
        #expect(try connection.get("/qoe-video.js", fields: ["If-None-Match": "\"other\""]).status == 200)
        _ = running.server.stop()
    }

    @Test("is read and never written")
    func methods() throws {
        let (running, connection) = try connect()
        let response = try connection.post("/qoe-video.js", [])
        #expect(response.status == 405 && response.fields["allow"] == "GET, HEAD")
        _ = running.server.stop()
    }
}
