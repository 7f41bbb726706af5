import Foundation
import Testing
import TestSupport

@Suite("A play that is sent again", .engines, .serialized)
struct MidnightTests {
    private static let midnight = 1_795_996_800_000
    private static let id = "01a2203f-a6e3-7528-ba2e-989d23057a77"

    /// A request with one play that ended `agoMs` before it was received.
    private static func line(receivedAt: Int, agoMs: Int, startupMs: Int = 400) -> String {
        let event = """
            {"playId":"\(id)","videoId":"v1","startupMs":\(startupMs),"stalls":0,"stalledMs":0,"watchedMs":20000,\
            "ageMs":\(agoMs),"cdnRegion":"eu-west","sessionId":"s1"}
            """
        return #"{"receivedAt":\#(receivedAt),"body":{"events":[\#(event)]}}"#
    }

    @Test(
        "on the other side of an hour or of midnight is one play, and the first stands", arguments: EngineKind.running,
        [0, 3_600_000])
    func edges(_ kind: EngineKind, _ later: Int) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let edge = Self.midnight + later
        let (plain, fed) = (FedData(folder.path("plain")), FedData(folder.path("fed"), store: try store.url()))
        let lines = [
            Self.line(receivedAt: edge - 500, agoMs: 600),
            Self.line(receivedAt: edge + 60_000, agoMs: 59_000),
            // An hour late, by a clock that has drifted to the first side again, and with other figures.
            Self.line(receivedAt: edge + 3_600_000, agoMs: 3_600_900, startupMs: 9_000),
        ]
        for (number, line) in lines.enumerated() {
            let file = folder.path("\(number).ndjson")
            try line.write(toFile: file, atomically: true, encoding: .utf8)
            // Each in a chunk of its own, and by a process of its own.
            try plain.done("load", ["--any-time", file])
            try fed.done("load", ["--any-time", file])
        }
        try store.engines.settle()
        let rows = try store.rows("SELECT day, hour, startup_ms FROM {db}.plays")
        #expect(rows == [["\((edge - 1) / 86_400_000)", "\((edge - 1) / 3_600_000)", "400"]])
        try fed.expectSame(as: plain)
    }
}
