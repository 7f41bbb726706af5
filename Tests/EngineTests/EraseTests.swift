import Foundation
import Testing
import TestSupport

@Suite("A viewer who is erased from a store", .engines, .serialized)
struct EngineEraseTests {
    private static let session = "viewer-0815"

    private static func line(_ receivedAt: Int64) -> String {
        let own = (0..<3).map { _ in
            SampleBatch.event(SampleBatch.newId(), #""ageMs":60000,"sessionId":"\#(session)","cdn":"only-mine""#)
        }
        let others = (0..<20).map {
            SampleBatch.event(SampleBatch.newId(), #""ageMs":60000,"sessionId":"other-\#($0)","cdn":"fastly""#)
        }
        return #"{"receivedAt":\#(receivedAt),"body":\#(SampleBatch.body(own + others))}"# + "\n"
    }

    @Test(
        "is missed by nobody: verify finds nothing, and reports are those of the embedded store",
        arguments: EngineKind.running)
    func erase(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let file = folder.path("plays.ndjson")
        let line = Self.line(1_795_948_200_000)
        // The same twice: of the repeats nothing is left either.
        try (line + line).write(toFile: file, atomically: true, encoding: .utf8)
        let (plain, fed) = (FedData(folder.path("plain")), FedData(folder.path("fed"), store: try store.url()))
        for data in [plain, fed] {
            try data.done("load", ["--any-time", file])
            try store.engines.settle()
            #expect(
                try data.done("erase", ["--session", Self.session]).hasPrefix("erased 6 plays: 3 rows of the store"))
            try store.engines.settle()
        }
        try fed.expectSame(as: plain)
        try fed.done("verify")
        try fed.done("rebuild")
        try store.engines.settle()
        try fed.expectSame(as: plain)
        try fed.done("verify")
    }
}
