import CommandLineTool
import Testing

@Suite("A number with what it counts")
struct CountedTests {
    @Test("has one of them, or several, or none")
    func nouns() {
        #expect([0, 1, 2].map { Counted($0, "new play").description } == ["0 new plays", "1 new play", "2 new plays"])
    }
}
