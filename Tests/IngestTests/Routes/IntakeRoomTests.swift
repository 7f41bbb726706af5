import Archive
import PlaybackEvents
import TestSupport
import Testing

@testable import Ingest

@Suite("What the lines of a batch take")
struct IntakeRoomTests {
    private static let event = #"{"videoId":"v","stalls":0,"stalledMs":0,"watchedMs":1}"#
    /// A context whose every value is as long as the contract allows, and twice as long in JSON.
    private static let context: String = {
        let value = String(repeating: #"\""#, count: 64)
        let names = [
            "sessionId", "cdn", "cdnRegion", "network", "source", "appVersion", "osVersion", "deviceModel", "player",
        ]
        let tags = (0..<8).map { #""t\#(String(repeating: "x", count: 30))\#($0)":"\#(value)""# }
        return "{" + names.map { #""\#($0)":"\#(value)""# }.joined(separator: ",")
            + #","tags":{\#(tags.joined(separator: ","))}}"#
    }()
    private static let wide = #"{"videoId":"v","x":"\#(String(repeating: #"\""#, count: 4_000))"}"#
    private static let full =
        #"{"videoId":"\#(String(repeating: #"\\"#, count: 128))","stalls":100000,"stalledMs":86400000,"#
        + #""watchedMs":86400000,"startupMs":3600000,"avgBitrate":1000000000,"error":{"domain":"d","code":-1},"#
        + #""playId":"00000000-0000-4000-8000-000000000001","ageMs":9007199254740992,"endedAt":-9223372036854775808,"#
        + #""bytes":1099511627776,"memoryBytes":9007199254740992,"waitedMs":3600000,"accessLogStartupMs":3600000}"#
    private static let pretty = "{" + String(repeating: "\n\t", count: 3_000) + #""videoId":"v"}"#

    @Test("is never more than is taken for them before they are written", arguments: 0..<6, [false, true])
    func most(kind: Int, isShared: Bool) throws {
        let event = [Self.event, Self.wide, Self.full, Self.pretty, "{}", "[]"][kind]
        let context = isShared ? Self.context : nil
        for count in [1, 2, 200] {
            let events = Array(repeating: event, count: count).joined(separator: ",")
            let body = Array((#"{"context":\#(context ?? "null"),"events":[\#(events)]}"#).utf8)
            let region = Array(String(repeating: "\"", count: 64).utf8)
            let receipt = Receipt(receivedAt: .max, requestId: .random(), regionHeader: region)
            let batch = try RequestDecoder.decode(body, receipt: receipt)
            let lines = Intake.lines(of: batch, body)
            #expect(lines.count > 0)
            #expect(lines.count <= Intake.mostLineBytes(of: batch, bodyBytes: body.count))
        }
    }

    @Test("does not grow with a region header that is too long to count")
    func longHeader() throws {
        let events = Array(repeating: "{}", count: 1_000).joined(separator: ",")
        let body = Array(#"{"events":[\#(events)]}"#.utf8)
        let room = try [nil, Array(repeating: UInt8(ascii: "x"), count: 32_000)].map { header in
            let receipt = Receipt(receivedAt: 0, requestId: .random(), regionHeader: header)
            return Intake.mostLineBytes(of: try RequestDecoder.decode(body, receipt: receipt), bodyBytes: body.count)
        }
        #expect(room[0] == room[1])
    }
}
