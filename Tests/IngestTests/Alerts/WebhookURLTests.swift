import Testing

@testable import Ingest

@Suite("The URL of a webhook")
struct WebhookURLTests {
    @Test(
        "has a scheme, a host by name or address, a port, and whatever path",
        arguments: [
            ("http://hooks.example", false, "hooks.example", 80, "/"),
            ("https://hooks.example/a/b?token=x%20y&z", true, "hooks.example", 443, "/a/b?token=x%20y&z"),
            ("https://10.1.2.3:8443?a", true, "10.1.2.3", 8_443, "/?a"),
            ("http://[::1]:9000/alerts", false, "[::1]", 9_000, "/alerts"),
            ("https://[2001:db8::7]/x", true, "[2001:db8::7]", 443, "/x"),
        ] as [(String, Bool, String, UInt16, String)])
    func good(text: String, usesTLS: Bool, host: String, port: UInt16, target: String) throws {
        let url = try #require(WebhookURL(text))
        #expect(url.usesTLS == usesTLS && url.host == host && url.port == port && url.target == target)
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "hooks.example", "ftp://hooks.example/", "http://", "http://:80/", "http://user:pass@hooks.example/",
            "http://hooks.example:0/", "http://hooks.example:65536/", "http://::1/", "http://[::1/",
            "http://[10.0.0.1]/",
            "http://[hooks]/", "http://hooks.example/a b", "http://hooks.example/#part", "http://hö.example/",
        ])
    func wrong(text: String) {
        #expect(WebhookURL(text) == nil)
    }
}
