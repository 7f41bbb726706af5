import ClickHouse
import Testing

@Suite("The URL of a ClickHouse store")
struct ClickHouseURLTests {
    @Test("names hosts, database, user and cluster")
    func whole() throws {
        let url = try ClickHouseURL("clickhouse://a.example:8124,b,[::1]:9/qoe?user=in%20g%27est&cluster=main-1")
        #expect(url.hosts.map(\.description) == ["a.example:8124", "b:8123", "[::1]:9"])
        #expect(url.database == "qoe")
        #expect(url.user == "in g'est")
        #expect(url.cluster == "main-1")
        #expect(!url.usesTLS)
    }

    @Test("bounds what a report's query may take")
    func bounds() throws {
        let url = try ClickHouseURL("clickhouse://a/qoe?seconds=30&rows=1000000")
        #expect(url.seconds == 30)
        #expect(url.rows == 1_000_000)
        #expect(try ClickHouseURL("clickhouse://a/qoe").seconds == 600)
    }

    @Test("speaks TLS on another port when it says so")
    func tls() throws {
        let url = try ClickHouseURL("clickhouses://a/qoe")
        #expect(url.usesTLS)
        #expect(url.hosts.map(\.port) == [8_443])
    }

    @Test(
        "says what would be right",
        arguments: [
            ("http://a/qoe", "should begin with clickhouse://"),
            ("clickhouse://a", "names no database"),
            ("clickhouse://a/", "letters, digits and _"),
            ("clickhouse://a/q.oe", "letters, digits and _"),
            ("clickhouse://a/1qoe", "letters, digits and _"),
            ("clickhouse:///qoe", "host:8123 is right"),
            ("clickhouse://a,,b/qoe", "host:8123 is right"),
            ("clickhouse://a b/qoe", "host:8123 is right"),
            ("clickhouse://a:0/qoe", "1 to 65535"),
            ("clickhouse://a:65536/qoe", "1 to 65535"),
            ("clickhouse://a,a:8123/qoe", "twice"),
            ("clickhouse://me:secret@a/qoe", "QOE_CLICKHOUSE_PASSWORD"),
            ("clickhouse://a/qoe?password=secret", "QOE_CLICKHOUSE_PASSWORD"),
            ("clickhouse://a/qoe?user", "=VALUE"),
            ("clickhouse://a/qoe?user=", "=VALUE"),
            ("clickhouse://a/qoe?user=%0A", "=VALUE"),
            ("clickhouse://a/qoe?user=%zz", "=VALUE"),
            ("clickhouse://a/qoe?user=x&user=y", "user twice"),
            ("clickhouse://a/qoe?cluster='", "<remote_servers>"),
            ("clickhouse://a/qoe?seconds=0", "1 to 86400"),
            ("clickhouse://a/qoe?rows=many", "1 to"),
            ("clickhouse://a/qoe?timeout=3", "only user, cluster, seconds and rows"),
        ])
    func faults(_ text: String, _ words: String) {
        let fault = #expect(throws: ClickHouseURLError.self) { try ClickHouseURL(text) }
        #expect(fault?.description.contains(words) == true, "\(fault?.description ?? "")")
        #expect(fault?.description.contains("secret") != true)
    }
}
