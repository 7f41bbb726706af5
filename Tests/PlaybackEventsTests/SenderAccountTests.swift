import PlaybackEvents
import Testing

@Suite("A sender's account")
struct SenderAccountTests {
    static let accounts: [(String, Bool)] = [
        (#"{"senderId":"s","sequence":0,"made":0,"dropped":0,"rejected":0}"#, true),
        (#"{"senderId":"s","sequence":1.0,"made":1e3,"dropped":9007199254740992,"rejected":-0}"#, true),
        (#"{"x":[],"senderId":"(s)","sequence":0,"made":0,"dropped":0,"rejected":0,"y":{"z":null}}"#, true),
        (#"{"senderId":"s","sequence":0,"made":0,"dropped":0}"#, false),
        (#"{"senderId":"s","sequence":0,"made":0,"dropped":0,"rejected":null}"#, false),
        (#"{"senderId":"s","sequence":0,"made":0,"dropped":0,"rejected":-1}"#, false),
        (#"{"senderId":"s","sequence":0,"made":0,"dropped":0,"rejected":0.5}"#, false),
        (#"{"senderId":"s","sequence":0,"made":"0","dropped":0,"rejected":0}"#, false),
        (#"{"senderId":"s","sequence":0,"made":9007199254740993,"dropped":0,"rejected":0}"#, false),
        (#"{"senderId":"s","sequence":[],"made":0,"dropped":0,"rejected":0}"#, false),
        (#"{"senderId":"","sequence":0,"made":0,"dropped":0,"rejected":0}"#, false),
        (#"{"senderId":7,"sequence":0,"made":0,"dropped":0,"rejected":0}"#, false),
        (#"{"senderId":"a\nb","sequence":0,"made":0,"dropped":0,"rejected":0}"#, false),
        (#"{}"#, false),
        (#"null"#, false),
    ]

    @Test("is taken whole or not at all, and costs no play", arguments: accounts)
    func isTakenWhole(_ sender: String, _ isTaken: Bool) throws {
        let batch = try Request.decode(Request.body("\"sender\":\(sender)", events: [Request.event()]))
        #expect((batch.account != nil) == isTaken)
        #expect(batch.plays.count == 1)
        RoundTrip.expectSame(batch, try RoundTrip.read(RoundTrip.lines(of: batch)))
    }

    @Test("carries the sender's totals, in an empty batch too")
    func carriesTotals() throws {
        let sender = #"{"rejected":4,"dropped":3,"made":240,"sequence":7,"senderId":"\u00e9\"\\"}"#
        let batch = try Request.decode(Request.body("\"sender\":\(sender)", events: []))
        let account = try #require(batch.account)
        #expect(batch.string(account.senderId) == "é\"\\")
        #expect([account.sequence, account.made, account.dropped, account.rejected] == [7, 240, 3, 4])
        let lines = RoundTrip.lines(of: batch)
        #expect(
            String(decoding: lines, as: UTF8.self)
                == #"{"sender":{"senderId":"é\"\\","sequence":7,"made":240,"dropped":3,"rejected":4},"#
                + #""receivedAt":1796000000000,"requestId":"0123456789abcdef000000000000002a"}"# + "\n")
        RoundTrip.expectSame(batch, try RoundTrip.read(lines))
    }
}
