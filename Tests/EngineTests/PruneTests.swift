import Foundation
import Testing
import TestSupport

@Suite("Old days that are removed from a store", .engines, .serialized)
struct PruneTests {
    private static let day: Int64 = 86_400_000

    /// A play that ended so long before its receipt.
    private static func line(receivedAt: Int64, agoMs: Int64) -> String {
        let event = SampleBatch.event(SampleBatch.newId(), #""ageMs":\#(agoMs)"#)
        return #"{"receivedAt":\#(receivedAt),"body":\#(SampleBatch.body([event]))}"# + "\n"
    }

    @Test(
        "are missed by nobody: verify finds nothing, reports are those of the embedded store",
        arguments: EngineKind.running)
    func prune(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let today = Int64(Date().timeIntervalSince1970 * 1_000) / Self.day * Self.day
        // The last minutes of the last day that goes may have been dated to the first that stays, and the other way round.
        let ends = [-4 * Self.day, -2 * Self.day - 120_000, -2 * Self.day + 120_000, -Self.day]
        let file = folder.path("plays.ndjson")
        try ends.map { Self.line(receivedAt: today + $0 + 60_000, agoMs: 60_000) }.joined()
            .write(toFile: file, atomically: true, encoding: .utf8)
        let (plain, fed) = (FedData(folder.path("plain")), FedData(folder.path("fed"), store: try store.url()))
        for data in [plain, fed] {
            try data.done("load", ["--any-time", file])
            try store.engines.settle()
            #expect(try data.done("prune", ["--keep-days", "2"]).contains("removed 2 plays"))
        }
        try fed.expectSame(as: plain)
        try fed.done("verify")
    }
}
