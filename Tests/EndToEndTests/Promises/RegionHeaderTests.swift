import Foundation
import Testing
import TestSupport

@Suite("A region header")
struct RegionHeaderTests {
    @Test("is believed from a trusted address alone, where it stands once, and where the play names no region")
    func trust() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(
            data: folder.path("data"), options: ["--region-header", "X-Edge-Region", "--trusted-proxy", "127.0.0.2/31"])
        func post(_ source: UInt8, _ head: String, _ more: String = "", context: String = "{}") throws -> String {
            let id = SampleBatch.newId()
            let body = SampleBatch.body([SampleBatch.event(id, more)], context: context)
            let connection = try LoopbackConnection(port: server.port, source: source)
            try connection.send(
                "POST \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: x\r\n\(head)Content-Length: \(body.utf8.count)\r\n\r\n"
                    + body)
            #expect(try connection.response().status == 202)
            return id
        }
        let header = "X-Edge-Region: fra\r\n"
        let cases: [(id: String, region: String?, from: String?)] = [
            (try post(2, header), "fra", "header"),
            (try post(3, header), "fra", "header"),
            (try post(1, header), nil, nil),
            (try post(4, header), nil, nil),
            (try post(2, header + header), nil, nil),
            (try post(2, "X-Edge-Region: (unknown)\r\n"), nil, nil),
            (try post(2, "X-Edge-Region: \(String(repeating: "a", count: 129))\r\n"), nil, nil),
            (try post(2, header, #""cdnRegion":"own""#), "own", "event"),
            (try post(2, header, context: #"{"cdnRegion":"shared"}"#), "shared", "context"),
        ]
        try server.waitForFollower()
        let stored = try StoredPlays(data: server.dataDirectory)
        for (id, region, from) in cases {
            let play = try stored.play(id)
            #expect(play["cdn_region"] == region)
            #expect(play["region_from"] == from)
        }
        let text = try BuiltProgram.run("sh", ["-c", "zcat $(find \(server.dataDirectory) -name '*.gz')"]).output
        #expect(!text.contains("127.0.0"))
    }
}
