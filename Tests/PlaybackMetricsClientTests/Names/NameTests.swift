import Testing

@testable import PlaybackMetricsClient

@Suite("Names")
struct NameTests {
    @Test(
        "of videos are kept when they are identifiers",
        arguments: ["v1", "0193a7c2-77aa", "series/12/ep-3", "urn:video:17", "a.b_c~d=e+f@g,h|i#j", "A"])
    func identifiers(_ text: String) {
        #expect(VideoID(text).text == text)
    }

    @Test(
        "of videos that are titles, addresses or nothing at all do not leave the device",
        arguments: [
            "The Great Train Robbery", "https://cdn.example.com/v1.m3u8", "//cdn.example.com/v1", "/path", "?id=1", "",
            "(none)", "Ночь", "v1\n", "a\u{0}b", "v1?token=secret", String(repeating: "x", count: 129),
        ])
    func titles(_ text: String) {
        let id = VideoID(text).text
        #expect(id.hasPrefix("digest-") && id.utf8.count == 23)
        #expect(VideoID(text) == VideoID(text))
        #expect(VideoID(text) != VideoID(text + " "))
    }

    @Test("of videos have the same digest on every device")
    func digest() {
        #expect(VideoID("").text == "digest-cbf29ce484222325")
        #expect(VideoID("foo bar").text == "digest-5fd13fcc22c814ca")
        #expect(VideoID("a ").text == "digest-089c0207b5452844")
    }

    @Test("of videos may be 128 bytes long")
    func longest() {
        let text = String(repeating: "x", count: 128)
        #expect(VideoID(text).text == text)
    }

    @Test(
        "of groups are any text of up to 128 bytes",
        arguments: [
            "fastly", "eu-west", "iPhone15,2", "17.4.1", "FRA56-P4", "Apple TV 4K", "São Paulo", "é", "東京",
            "https://x.example", " ", "a (b)", String(repeating: "é", count: 64),
        ])
    func labels(_ text: String) {
        #expect(PlaybackLabel(text)?.text == text)
        #expect(PlaybackLabel(stringLiteral: text).text == text)
    }

    @Test(
        "of groups are never empty, reserved words, or longer, and hold no controls",
        arguments: [
            ("", nil), ("(unknown)", .reserved), ("a\tb", .control), ("a\n", .control), ("\u{7f}", .control),
            ("a\u{85}", .control), (String(repeating: "x", count: 129), .tooLong),
            (String(repeating: "é", count: 65), .tooLong),
        ] as [(String, RefusedLabels.Reason?)])
    func noLabels(_ text: String, _ reason: RefusedLabels.Reason?) {
        #expect(PlaybackLabel(text) == nil)
        #expect(PlaybackLabel.refusal(of: text) == reason)
    }

    @Test("of groups that are refused are said once for each reason, without the text")
    func refused() {
        let said = Mutable<[String]>([])
        let refused = RefusedLabels { line in said.update { $0.append(line) } }
        for _ in 0..<3 {
            for reason in RefusedLabels.Reason.allCases { refused.note(reason) }
        }
        #expect(said.value.count == RefusedLabels.Reason.allCases.count)
        #expect(said.value.allSatisfy { $0.hasPrefix("PlaybackMetrics: a ") })
    }

    @Test("written in the source become the nearest that there is")
    func literals() {
        let reserved: PlaybackLabel = "(none)"
        #expect(reserved.text == "_none)")
        let control: PlaybackLabel = "a\nb"
        #expect(control.text == "a_b")
        let nothing: PlaybackLabel = ""
        #expect(nothing.text == "_")
        let long = PlaybackLabel(stringLiteral: String(repeating: "x", count: 127) + "é")
        #expect(long.text == String(repeating: "x", count: 127))
        let name: TagName = "Test Arm"
        #expect(name.text == "test_arm")
        let digits: TagName = "1st"
        #expect(digits.text == "x1st")
        for label in [reserved, control, nothing, long] { #expect(PlaybackLabel(label.text) == label) }
        for name in [name, digits] { #expect(TagName(name.text) == name) }
    }

    @Test("of tags are lower-case letters, digits and underscores", arguments: ["a", "experiment", "arm_2"])
    func tagNames(_ text: String) {
        #expect(TagName(text)?.text == text)
    }

    @Test(
        "of tags follow no other rule",
        arguments: ["", "1a", "_a", "Arm", "a-b", "a b", String(repeating: "x", count: 33)])
    func noTagNames(_ text: String) {
        #expect(TagName(text) == nil)
    }

    @Test("of errors keep the code and nothing that a person could read")
    func errors() {
        #expect(
            PlaybackError(domain: "CoreMediaErrorDomain", code: -12660).description == "CoreMediaErrorDomain#-12660")
        #expect(PlaybackError(domain: "Could not open /Users/me/film.mp4", code: 5).description == "other#5")
        #expect(PlaybackError("media_err").description == "media_err")
        #expect(PlaybackError("no such film.mp4").description == "no_such_film.mp4")
        let long = PlaybackLabel(stringLiteral: String(repeating: "x", count: 128))
        #expect(PlaybackError(long).description.utf8.count == 64)
        #expect(PlaybackError(PlaybackError("media_err") as any Error) == PlaybackError("media_err"))
        enum Failure: Error { case broken }
        #expect(PlaybackError(Failure.broken).description.hasSuffix("#0"))
    }
}
