import Suggestions
import Testing

@Suite("A mistyped word")
struct SpellingTests {
    private let names = ["cdnRegion", "cdn", "day", "network", "max-connections", "write-keys", "to", "port"]

    @Test(
        "is taken for the known word that it nearly is",
        arguments: [
            ("CDN", "cdn"), ("cdnregion", "cdnRegion"), ("netwrok", "network"), ("dya", "day"), ("prot", "port"),
            ("connections", "max-connections"), ("keys", "write-keys"), ("tp", "to"),
        ])
    func near(word: String, meant: String) {
        #expect(Spelling.nearest(to: word, among: names) == meant)
    }

    @Test("is taken for none when none comes near", arguments: ["x", "a", "", "bogus", "zzzzzzzzzzzz"])
    func far(word: String) {
        #expect(Spelling.nearest(to: word, among: names) == nil)
    }

    @Test("may be as long as it likes")
    func long() {
        #expect(Spelling.nearest(to: String(repeating: "day", count: 100_000), among: names) == nil)
    }

    @Test("has no meaning where nothing is known")
    func nothingKnown() {
        #expect(Spelling.nearest(to: "day", among: []) == nil)
    }
}
