import Archive
import Ingest
import PlaybackEvents
import Testing

@Suite("What the archive keeps of a request")
struct IntakeTests {
    private func plays(_ events: String) throws -> String {
        let sender = #""sender": {"senderId": "s", "sequence": 1, "made": 5, "dropped": 0, "rejected": 0}"#
        let receipt = Receipt(receivedAt: 1_796_000_000_000, requestId: .random())
        let lines = try Intake.judge(Array("{\(sender), \"events\": [\(events)]}".utf8), receipt: receipt).lines
        return String(decoding: lines.plays, as: UTF8.self)
    }

    private let good = #"{"videoId": "v", "stalls": 0, "stalledMs": 0, "watchedMs": 1000}"#
    private let bad = #"{"videoId": "v", "stalls": 1.5, "stalledMs": 0, "watchedMs": 1000}"#

    @Test("is the sender's account and the good plays, and of an empty batch the account")
    func accepted() throws {
        #expect(try plays("\(bad), \(good)").split(separator: "\n").count == 2)
        #expect(try plays("").hasPrefix(#"{"sender":{"senderId":"s""#))
    }

    @Test("is nothing when every event is rejected: the account of a 400 does not count")
    func allRejected() throws {
        #expect(try plays(bad) == "")
        #expect(try plays("\(bad), \(bad)") == "")
    }
}
