import Ingest
import Testing

@Suite("The content rules")
struct ContentRulesTests {
    @Test(
        "take JSON, plain text and no type, with any parameter but a foreign charset",
        arguments: [
            [], ["application/json"], ["Application/JSON; charset=utf-8"], ["text/plain;charset=\"UTF-8\""],
            ["application/json; profile=x"], ["text/plain ; charset = utf-8"], ["text/plain;"],
        ])
    func taken(types: [String]) {
        #expect(ContentRules.accepts(types: types))
    }

    @Test(
        "refuse other types, other charsets and two types",
        arguments: [
            ["text/html"], ["application/json; charset=latin1"], ["application/json", "application/json"], [""],
            ["application/x-www-form-urlencoded"], ["application/jsonx"],
        ])
    func refused(types: [String]) {
        #expect(!ContentRules.accepts(types: types))
    }

    @Test("know gzip and identity in any letter case, and nothing else or stacked")
    func encodings() {
        #expect(ContentRules.encoding(of: []) == .identity)
        #expect(ContentRules.encoding(of: ["Identity"]) == .identity)
        #expect(ContentRules.encoding(of: ["GZIP"]) == .gzip)
        #expect(ContentRules.encoding(of: ["x-gzip"]) == .gzip)
        #expect(ContentRules.encoding(of: ["br"]) == nil)
        #expect(ContentRules.encoding(of: ["gzip, gzip"]) == nil)
        #expect(ContentRules.encoding(of: ["gzip", "gzip"]) == nil)
    }
}
