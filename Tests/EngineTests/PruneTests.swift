import Foundation
import Testing
import TestSupport

@Suite("Old days that are removed from a store", .engines, .serialized)
struct PruneTests {
    private static let day: Int64 = 86_400_000

    /// A request of a sender with plays that ended so long before its receipt.
    private static func line(receivedAt: Int64, _ sender: String, _ sequence: Int, made: Int, agoMs: [Int64]) -> String
    {
        let events = agoMs.map { ago in
            let region = ago > day ? "late" : "prompt"
            return SampleBatch.event(SampleBatch.newId(), #""cdnRegion":"\#(region)","ageMs":\#(ago)"#)
        }
        let account = #"{"senderId":"\#(sender)","sequence":\#(sequence),"made":\#(made),"dropped":0,"rejected":0}"#
        let body = #"{"sender":\#(account),"events":[\#(events.joined(separator: ","))]}"#
        return #"{"receivedAt":\#(receivedAt),"body":\#(body)}"# + "\n"
    }

    @Test(
        "are missed by nobody: verify finds nothing, reports are those of the embedded store, and nothing of them is lost",
        arguments: EngineKind.running)
    func prune(_ kind: EngineKind) throws {
        let folder = try TemporaryFolder()
        let store = try EngineStore(kind)
        let today = Int64(Date().timeIntervalSince1970 * 1_000) / Self.day * Self.day
        // The last minutes of the last day that goes may have been dated to the first that stays, and the other way round.
        let ends = [-4 * Self.day, -2 * Self.day - 120_000, -2 * Self.day + 120_000, -Self.day]
        var lines = ends.enumerated().map { number, end in
            Self.line(
                receivedAt: today + end + 60_000, "phone", number + 1, made: number + 1, agoMs: [60_000])
        }
        // Two plays of days that go, which come on a day that stays, with one that stays and without; one is never sent.
        let (noon, long) = (today - Self.day / 2, 3 * Self.day)
        lines.append(Self.line(receivedAt: noon, "late", 1, made: 3, agoMs: [long, 60_000]))
        lines.append(Self.line(receivedAt: noon + 1_000, "later", 1, made: 1, agoMs: [long]))
        let file = folder.path("plays.ndjson")
        try lines.joined().write(toFile: file, atomically: true, encoding: .utf8)
        let (plain, fed) = (FedData(folder.path("plain")), FedData(folder.path("fed"), store: try store.url()))
        for data in [plain, fed] {
            try data.done("load", ["--any-time", file])
            try store.engines.settle()
            #expect(try data.done("prune", ["--keep-days", "2"]).contains("removed 4 plays"))
        }
        let options = [["--by", "day,cdnRegion"], ["--by", "hour"], ["--by", "videoId"]]
        try fed.expectSame(as: plain, options: options)
        let delivery = try fed.done("report", ["--metric", "delivery", "--by", "day", "--format", "csv"])
        let sums = delivery.split(whereSeparator: \.isNewline).map { $0.split(separator: ",").map(String.init) }
        let columns = try #require(sums.first)
        let lost = try #require(columns.firstIndex(of: "lost"))
        let arrived = try #require(columns.firstIndex(of: "arrived"))
        // Of the days that stay: three senders' four requests, and the one play that was never sent.
        #expect(sums.dropFirst().reduce(0) { $0 + (Int($1[lost]) ?? 0) } == 1, "\(delivery)")
        #expect(sums.dropFirst().reduce(0) { $0 + (Int($1[arrived]) ?? 0) } == 5, "\(delivery)")
        // Once more, nothing is counted twice.
        #expect(try fed.done("prune", ["--keep-days", "2"]).contains("removed 0 plays"))
        try fed.expectSame(as: plain, options: options)
        try fed.done("verify")
    }
}
