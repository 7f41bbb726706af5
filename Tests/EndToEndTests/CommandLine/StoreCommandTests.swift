import Foundation
import TestSupport
import Testing

@Suite("The commands and a ClickHouse store")
struct StoreCommandTests {
    private static let qoe = BuiltProgram("qoe")

    @Test("print the statements that make its tables, without a server, each with what it is for")
    func script() throws {
        let url = "clickhouse://one,two/qoe?cluster=main"
        let printed = try Self.qoe.run(["store", "create", "--print", "--replicated", "--store", url])
        #expect(printed.status == 0)
        #expect(printed.output.contains("CREATE TABLE IF NOT EXISTS qoe.stored_plays ("))
        #expect(printed.output.contains("Distributed('main', qoe, stored_plays"))
        for statement in printed.output.split(separator: ";\n") { #expect(statement.contains("-- ")) }
    }

    @Test(
        "say in one line what is wrong with its URL",
        arguments: [
            ["report", "--store", "http://one/qoe"], ["load", "--store", "clickhouse://one/", "x"],
            ["store", "create"], ["store", "make", "--store", "clickhouse://one/qoe"],
            ["store", "create", "--store", "clickhouse://one/qoe?cluster=a", "--cluster", "b"],
            ["store", "create", "--store", "clickhouse://one/qoe", "--replicated"],
        ])
    func usage(_ words: [String]) throws {
        let result = try Self.qoe.run(words)
        #expect(result.status == 64)
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test("never repeat a password that stands where none belongs")
    func password() throws {
        let result = try Self.qoe.run(["report", "--store", "clickhouse://me:hunter2@one/qoe"])
        #expect(result.status == 64)
        #expect(!result.errors.contains("hunter2"))
        let variable = try Self.qoe.run(["report"], environment: ["QOE_STORE": "clickhouse://me:hunter2@one/qoe"])
        #expect(variable.status == 78)
        #expect(!variable.errors.contains("hunter2"))
    }

    @Test("end with unavailable when nobody answers")
    func unavailable() throws {
        let folder = try TemporaryFolder()
        let result = try Self.qoe.run(["report", "--data", folder.path, "--store", "clickhouse://127.0.0.1:1/qoe"])
        #expect(result.status == 69)
        #expect(result.errors == "qoe: ClickHouse at 127.0.0.1:1 can't be reached: nothing listens there\n")
    }
}
