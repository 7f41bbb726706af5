import HTTPServing
import Ingest
import Testing

@Suite("The content rules")
struct ContentRulesTests {
    @Test(
        "take JSON, plain text and no type, with any parameter but a foreign charset",
        arguments: [
            nil, "application/json", "Application/JSON; charset=utf-8", "text/plain;charset=\"UTF-8\"",
            "application/json; profile=x", "text/plain ; charset = utf-8", "text/plain;",
        ])
    func taken(type: String?) {
        #expect(ContentRules.accepts(type: type.map { .once($0) } ?? .absent))
    }

    @Test(
        "refuse other types, other charsets and two types",
        arguments: [
            HTTPFieldValue.once("text/html"), .once("application/json; charset=latin1"), .repeated, .once(""),
            .once("application/x-www-form-urlencoded"), .once("application/jsonx"),
        ])
    func refused(type: HTTPFieldValue) {
        #expect(!ContentRules.accepts(type: type))
    }

    @Test("know gzip and identity in any letter case, and nothing else or stacked")
    func encodings() {
        #expect(ContentRules.encoding(of: .absent) == .identity)
        #expect(ContentRules.encoding(of: .once("Identity")) == .identity)
        #expect(ContentRules.encoding(of: .once("GZIP")) == .gzip)
        #expect(ContentRules.encoding(of: .once("x-gzip")) == .gzip)
        #expect(ContentRules.encoding(of: .once("br")) == nil)
        #expect(ContentRules.encoding(of: .once("gzip, gzip")) == nil)
        #expect(ContentRules.encoding(of: .repeated) == nil)
    }
}
