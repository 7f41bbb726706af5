import PlaybackEvents
import Testing

@Suite("An event that is rejected")
struct EventErrorTests {
    /// What one event is rejected for; nil when it is accepted.
    private func verdict(_ event: String) throws -> Verdict? {
        let batch = try Request.decode(Request.body(events: [event]))
        #expect(batch.plays.count + batch.rejections.count == 1)
        return batch.rejections.first.map(Verdict.init)
    }

    /// A bad value of each field, in the order of the contract's table.
    static let badValues: [(String, String, Verdict)] = [
        ("videoId", "7", Verdict("wrong_type", "videoId")),
        ("stalls", "0.5", Verdict("not_whole", "stalls")),
        ("stalledMs", "-1", Verdict("out_of_range", "stalledMs")),
        ("watchedMs", "\"1\"", Verdict("wrong_type", "watchedMs")),
        ("startupMs", "3600001", Verdict("out_of_range", "startupMs")),
        ("avgBitrate", "1000000000.1", Verdict("out_of_range", "avgBitrate")),
        ("error", "{\"domain\":\"d\"}", Verdict("missing", "error.code")),
        ("playId", "\"x\"", Verdict("bad_format", "playId")),
        ("sessionId", "\"\\u0000\"", Verdict("bad_characters", "sessionId")),
        ("ageMs", "9007199254740993", Verdict("out_of_range", "ageMs")),
        ("endedAt", "\"yesterday\"", Verdict("bad_format", "endedAt")),
        ("bytes", "1099511627777", Verdict("out_of_range", "bytes")),
        ("memoryBytes", "[]", Verdict("wrong_type", "memoryBytes")),
        ("waitedMs", "3600000.5", Verdict("out_of_range", "waitedMs")),
        ("accessLogStartupMs", "3600001", Verdict("out_of_range", "accessLogStartupMs")),
        ("attempt", "0", Verdict("out_of_range", "attempt")),
        ("playerStalls", "0.5", Verdict("not_whole", "playerStalls")),
        ("playerStalledMs", "-0.51", Verdict("out_of_range", "playerStalledMs")),
        ("cdn", "\"a\\tb\"", Verdict("bad_characters", "cdn")),
        ("cdnRegion", "\"(all)\"", Verdict("bad_format", "cdnRegion")),
        ("network", "true", Verdict("wrong_type", "network")),
        ("source", "\"\\u0085\"", Verdict("bad_characters", "source")),
        ("appVersion", "{}", Verdict("wrong_type", "appVersion")),
        ("osVersion", "\"(1)\"", Verdict("bad_format", "osVersion")),
        ("deviceModel", "\"\u{7f}\"", Verdict("bad_characters", "deviceModel")),
        ("player", "false", Verdict("wrong_type", "player")),
        ("tags", "{\"a\":\"(\"}", Verdict("bad_format", "tags.a")),
    ]

    @Test("for two fields names the one that comes first in the table, whichever was sent first")
    func namesFirstField() throws {
        for first in Self.badValues.indices {
            for second in Self.badValues.indices where second != first {
                var members = ["videoId": "\"v1\"", "stalls": "0", "stalledMs": "0", "watchedMs": "1"]
                for number in [first, second] { members[Self.badValues[number].0] = nil }
                let bad = [first, second].map { "\"\(Self.badValues[$0].0)\":\(Self.badValues[$0].1)" }
                let event = "{" + (bad + members.map { "\"\($0.key)\":\($0.value)" }).joined(separator: ",") + "}"
                #expect(try verdict(event) == Self.badValues[min(first, second)].2, "\(event)")
            }
        }
    }

    @Test("for a bad value names it before an earlier field that is missing only where it comes before it")
    func ordersMissing() throws {
        #expect(try verdict(#"{"videoId":5}"#) == Verdict("wrong_type", "videoId"))
        #expect(try verdict(#"{"watchedMs":-1}"#) == Verdict("missing", "videoId"))
        #expect(try verdict(#"{"videoId":"v","watchedMs":-1}"#) == Verdict("missing", "stalls"))
        #expect(try verdict(#"{}"#) == Verdict("missing", "videoId"))
    }

    static let wholes: [(String, Verdict?)] = [
        (#""x":1,"x":1"#, Verdict("duplicate_key", "")),
        (#""x":1,"\u0078":1"#, Verdict("duplicate_key", "")),
        (#""stalls":0"#, Verdict("duplicate_key", "stalls")),
        (#""st\u0061lls":0"#, Verdict("duplicate_key", "stalls")),
        (#""cdn":null,"cdn":null"#, Verdict("duplicate_key", "cdn")),
        (#""cdn":{"a":1,"a":1}"#, Verdict("duplicate_key", "cdn")),
        (#""stalls2":[{"a":{"b":1,"b":1}}]"#, Verdict("duplicate_key", "")),
        (#""tags":{"a":"1","\u0061":"1"}"#, Verdict("duplicate_key", "tags")),
        (#""tags":{"a":{"b":1,"b":1}}"#, Verdict("duplicate_key", "tags")),
        (#""error":{"domain":"d","code":1,"x":[{"":1,"":2}]}"#, Verdict("duplicate_key", "error")),
        // The first repeat in the event.
        (#""x":{"a":1,"a":1},"stalls":0"#, Verdict("duplicate_key", "")),
        (#""stalls":0,"x":{"a":1,"a":1}"#, Verdict("duplicate_key", "stalls")),
        (#""x":1,"tags":{"a":"1","a":"1"},"x":1"#, Verdict("duplicate_key", "tags")),
        // Before surrogates and fields.
        (#""cdn":"\ud800","x":1,"x":1"#, Verdict("duplicate_key", "")),
        (#""cdn":"","x":1,"x":1"#, Verdict("duplicate_key", "")),
        // One object's keys are no other's.
        (#""x":{"a":1},"a":{"x":{"x":1}}"#, nil),
        (#""x":[{"a":1},{"a":1}]"#, nil),
        (#""\ud800":1,"\ud801":2,"\ud800\udc00":3"#, Verdict("bad_characters", "")),
        (#""\ud800":1,"\uD800":2"#, Verdict("duplicate_key", "")),
        (#""cdn":"\ud800\ud800\udc00""#, Verdict("bad_characters", "cdn")),
        (#""cdn":"\udc00\ud800""#, Verdict("bad_characters", "cdn")),
        (#""cdn":"\ud800x""#, Verdict("bad_characters", "cdn")),
        (#""cdn":"\ud800\n""#, Verdict("bad_characters", "cdn")),
        (#""cdn":["\ud800"]"#, Verdict("bad_characters", "cdn")),
        (#""stalls2":"\ud800","cdn":"\ud800""#, Verdict("bad_characters", "")),
        (#""tags":{"a":"\udfff"}"#, Verdict("bad_characters", "tags")),
        (#""tags":{"\udfff":"a"}"#, Verdict("bad_characters", "tags")),
        (#""error":{"domain":"\udfff","code":1}"#, Verdict("bad_characters", "error")),
        (#""error":{"\udfff":1}"#, Verdict("bad_characters", "error")),
        (#""cdn":"","x":"\udfff""#, Verdict("bad_characters", "")),
        (#""cdn":"","x":{"y":["\udfff"]}"#, Verdict("bad_characters", "")),
    ]

    @Test("for a key twice or a lone surrogate is so before its fields are looked at", arguments: wholes)
    func judgesWhole(_ members: String, _ expected: Verdict?) throws {
        #expect(try verdict(Request.event(members)) == expected)
    }

    @Test("for its size or levels is so before anything else in it")
    func judgesSizeFirst() throws {
        let pad = String(repeating: "x", count: 16_384)
        let deep = String(repeating: "[", count: 14) + String(repeating: "]", count: 14)
        let odd = #""a":1,"a":"\ud800","cdn":"""#
        #expect(try verdict(Request.event("\"pad\":\"\(pad)\",\"x\":\(deep),\(odd)")) == Verdict("event_too_large", ""))
        #expect(try verdict(Request.event("\"x\":\(deep),\(odd)")) == Verdict("too_deep", ""))
        #expect(try verdict(Request.event("\"cdn\":\(deep)")) == Verdict("too_deep", ""))
        #expect(try verdict("[\(deep),\"\(pad)\",\"\\ud800\"]") == Verdict("wrong_type", ""))
        let objects = String(repeating: "{\"a\":", count: 14) + "1" + String(repeating: "}", count: 14)
        #expect(try verdict(Request.event("\"x\":\(objects)")) == Verdict("too_deep", ""))
    }

    @Test("for figures that contradict each other is so after all its fields")
    func judgesFiguresLast() throws {
        let more = #"{"videoId":"v","stalls":0,"stalledMs":9,"watchedMs":8"#
        #expect(try verdict(more + "}") == Verdict("stalled_exceeds_watched", "stalledMs"))
        #expect(try verdict(more + #","tags":5}"#) == Verdict("wrong_type", "tags"))
        let without = #"{"videoId":"v","stalls":0,"stalledMs":8,"watchedMs":8}"#
        #expect(try verdict(without) == Verdict("stalled_without_stalls", "stalledMs"))
    }

    static let errors: [(String, Verdict?)] = [
        (#""timeout""#, nil), (#"{"domain":"d","code":"(x"}"#, nil),
        (#"{"code":-9223372036854775808,"domain":"d"}"#, nil),
        (#"{"domain":"d","code":9223372036854775808}"#, Verdict("out_of_range", "error.code")),
        (#"{"domain":"d","code":1e19}"#, Verdict("out_of_range", "error.code")),
        (#"{"domain":"d","code":1e-1}"#, Verdict("not_whole", "error.code")),
        (#"{"domain":"d","code":[1]}"#, Verdict("wrong_type", "error.code")),
        (#"{"domain":null,"code":1}"#, Verdict("missing", "error.domain")),
        (#"{"domain":"(d","code":1.5}"#, Verdict("bad_format", "error.domain")),
        (#"{"domain":"\u0000","code":1}"#, Verdict("bad_characters", "error.domain")),
        (#"{"code":"\n","domain":"d"}"#, Verdict("bad_characters", "error.code")),
        (#"{}"#, Verdict("missing", "error.domain")), (#""a\nb""#, Verdict("bad_characters", "error")),
        (#""(none)""#, Verdict("bad_format", "error")), ("[]", Verdict("wrong_type", "error")),
    ]

    @Test("for its error is so for the domain first, then for the code", arguments: errors)
    func judgesErrors(_ error: String, _ expected: Verdict?) throws {
        #expect(try verdict(Request.event("\"error\":\(error)")) == expected)
    }

    @Test("for an identifier or time that holds a control is so for its characters")
    func judgesCharactersFirst() throws {
        let id = #""playId":"0193a6b0-0000-7000-8000-00000000000\u0000""#
        #expect(try verdict(Request.event(id)) == Verdict("bad_characters", "playId"))
        #expect(try verdict(Request.event(#""endedAt":"\u007f""#)) == Verdict("bad_characters", "endedAt"))
    }

    @Test("names where it stands, and says what is wrong without a word of it")
    func namesPlace() throws {
        let secret = "sécret"
        let events =
            Self.badValues.map { "{ \"\($0.0)\" : \($0.1), \"\(secret)\": \"\(secret)\" }" } + ["null", "[ 1 ]"]
        let body = "{\"\(secret)\":1,\"events\": [ " + events.joined(separator: " , ") + " ] }"
        let batch = try Request.decode(body)
        #expect(batch.rejections.map(\.index) == Array(events.indices))
        for (rejection, event) in zip(batch.rejections, events) {
            #expect(String(decoding: Array(body.utf8)[rejection.bytes], as: UTF8.self) == event)
            #expect(rejection.message.hasSuffix("."))
            #expect(!rejection.message.contains(secret))
        }
    }

    @Test("does not stop the rest of its batch")
    func leavesTheRest() throws {
        let batch = try Request.decode(Request.body(events: [Request.event(), "5", Request.event(#""cdn":"a""#)]))
        #expect(batch.indices == [0, 2])
        #expect(batch.string(batch.plays[1].cdn) == "a")
    }
}
