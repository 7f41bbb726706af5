import ClickHouse
import Testing

@Suite("What ClickHouse says when it fails")
struct ClickHouseErrorTests {
    private func line(_ body: String, status: Int = 500, header: String? = nil) throws -> ClickHouseError {
        let url = try ClickHouseURL("clickhouse://one/qoe?user=ingest&cluster=main")
        let exchange = ScriptedExchange { _ in
            .text(body, status: status, fields: header.map { ["x-clickhouse-exception-code": $0] } ?? [:])
        }
        let client = ClickHouseClient(url, password: nil, exchange: exchange)
        let error = #expect(throws: ClickHouseError.self) { try client.query("SELECT 1") { _ in } }
        return try #require(error)
    }

    @Test(
        "becomes one line that says what would be right",
        arguments: [
            ("Code: 193, e.displayText() = DB::Exception: Wrong password for user ingest", "QOE_CLICKHOUSE_PASSWORD"),
            (
                "Code: 516. DB::Exception: ingest: Authentication failed. (AUTHENTICATION_FAILED)",
                "does not let the user"
            ),
            ("Code: 81. DB::Exception: Database qoe does not exist. (UNKNOWN_DATABASE)", "'qoe store create"),
            ("Code: 60, e.displayText() = DB::Exception: Table qoe.layout doesn't exist.", "'qoe store create"),
            ("Code: 170, e.displayText() = DB::Exception: Requested cluster 'main' not found", "no cluster main"),
            ("Code: 164, e.displayText() = DB::Exception: Cannot override setting in readonly mode", "readonly=2"),
            ("Code: 158, e.displayText() = DB::Exception: Limit for rows to read exceeded", "rows="),
            ("Code: 159. DB::Exception: Timeout exceeded: elapsed 600.1 seconds", "seconds="),
        ])
    func permanent(_ body: String, _ words: String) throws {
        let error = try line(body, status: 500)
        #expect(error.description.contains(words), "\(error)")
        #expect(!error.description.contains("\n"))
    }

    @Test("names the shard that is missing")
    func shard() throws {
        let error = try line(
            """
            Code: 279, e.displayText() = DB::NetException: All connection tries failed. Log:

            Code: 210, e.displayText() = DB::NetException: Connection refused (10.0.0.7:9000)
            , e.what() = DB::NetException
            """)
        #expect(error.isTransient)
        #expect(error.description.contains("10.0.0.7:9000"))
        #expect(error.description.contains("nothing is counted without it"))
    }

    @Test("counts a shard of which every copy is far behind as missing, for now")
    func stale() throws {
        let error = try line(
            """
            Code: 369, e.displayText() = DB::Exception: Could not find enough connections to up-to-date replicas. \
            Got: 0, needed: 1, e.what() = DB::Exception
            """)
        #expect(error.isTransient)
        #expect(error.description.contains("nothing is counted without it"))
    }

    @Test("keeps its number and its words where there is nothing to add")
    func other() throws {
        let error = try line(
            "Code: 62. DB::Exception: Syntax error: failed at position 3. (SYNTAX_ERROR) (version 26.1.1.1)")
        #expect(error.code == 62)
        #expect(!error.isTransient)
        #expect(
            error.description
                == "ClickHouse at one:8123 says: error 62, Syntax error: failed at position 3. (SYNTAX_ERROR)")
    }

    @Test("goes by the status where no number is said")
    func proxy() throws {
        #expect(try line("Bad gateway", status: 502).isTransient)
        #expect(try line("Not here", status: 404).isTransient == false)
        #expect(try line("", status: 500, header: "241").isTransient)
    }
}
