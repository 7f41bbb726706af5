import ClickHouse
import Testing

@Suite("A value in a query's text")
struct SQLTextTests {
    @Test(
        "can't end its literal",
        arguments: [
            ("plain", "'plain'"), ("it's", #"'it\'s'"#), (#"a\"#, #"'a\\'"#), (#"\'"#, #"'\\\''"#),
            ("a\0b", #"'a\0b'"#),
            ("a\nb", #"'a\nb'"#), ("'; DROP TABLE x --", #"'\'; DROP TABLE x --'"#), ("ö\u{2028}", "'ö\u{2028}'"),
        ])
    func texts(_ text: String, _ literal: String) {
        #expect(SQLText.literal(text) == literal)
    }

    @Test("is a whole number of any size")
    func integers() {
        #expect(SQLText.literal(7) == "7")
        #expect(SQLText.literal(-7) == "(-7)")
        #expect(SQLText.literal(Int64.max) == "9223372036854775807")
        #expect(SQLText.literal(Int64.min) == "toInt64('-9223372036854775808')")
    }

    @Test("takes the place of a question mark, and of none in a text or a comment")
    func binding() {
        #expect(SQLText.bound("a = ? AND b = ?", ["1", "'?'"]) == "a = 1 AND b = '?'")
        #expect(SQLText.bound(#"a = '?\'?' AND b = ?"#, ["1"]) == #"a = '?\'?' AND b = 1"#)
        #expect(SQLText.bound("a -- really?\n= ?", ["1"]) == "a \n= 1")
        #expect(SQLText.bound("a - ? - -?", ["1", "2"]) == "a - 1 - -2")
        #expect(SQLText.bound("a = ?", []) == nil)
        #expect(SQLText.bound("a", ["1"]) == nil)
    }
}
