import PlaybackMetricsClient
import Testing

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
        "of groups are short and without white space",
        arguments: ["fastly", "eu-west", "iPhone15,2", "17.4.1", "FRA56-P4"])
    func labels(_ text: String) {
        #expect(PlaybackLabel(text)?.text == text)
    }

    @Test(
        "of groups are never sentences, addresses or reserved words",
        arguments: ["", "two words", "https://x.example", "(unknown)", "a\tb", "é", String(repeating: "x", count: 65)])
    func noLabels(_ text: String) {
        #expect(PlaybackLabel(text) == nil)
    }

    @Test("written in the source become the nearest that there is")
    func literals() {
        let label: PlaybackLabel = "Apple TV 4K"
        #expect(label.text == "Apple_TV_4K")
        let address: PlaybackLabel = "https://cdn.example"
        #expect(address.text == "https:/_cdn.example")
        let reserved: PlaybackLabel = "(none)"
        #expect(reserved.text == "x_none_")
        let nothing: PlaybackLabel = ""
        #expect(nothing.text == "x")
        let name: TagName = "Test Arm"
        #expect(name.text == "test_arm")
        let digits: TagName = "1st"
        #expect(digits.text == "x1st")
        for label in [label, address, reserved, nothing] { #expect(PlaybackLabel(label.text) == label) }
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
        #expect(PlaybackError(PlaybackError("media_err") as any Error) == PlaybackError("media_err"))
        enum Failure: Error { case broken }
        #expect(PlaybackError(Failure.broken).description.hasSuffix("#0"))
    }
}
