import Foundation
import SQLite
import Testing
import TestSupport

/// Against stubs of what it uses of Android and Media3, with their names and types; no device has run it here.
@Suite("The Kotlin reference for Android", .tools)
struct AndroidReferenceTests {
    private static let libraries = ["kotlin-stdlib", "com.android.json"].map { "/usr/share/java/\($0).jar" }

    /// Compiles the class of the documentation with `Run.kt`.
    private func program(in folder: TemporaryFolder) throws -> String {
        let article = Checkout.root.appendingPathComponent("Sources/qoe/qoe.docc/MeasuringAndroid.md")
        let blocks = try String(contentsOf: article, encoding: .utf8).matches(of: /```kotlin\n(?<code>[\s\S]*?)```/)
        let code = try #require(blocks.map(\.output.code).first { $0.contains("class Plays(") })
        let file = folder.path("Plays.kt")
        try String(code).write(toFile: file, atomically: true, encoding: .utf8)
        let android = Checkout.root.appendingPathComponent("Tests/ToolTests/Android").path
        let stubs = try #require(FileManager.default.enumerator(atPath: android + "/Stubs"))
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".java") }.map { "\(android)/Stubs/\($0)" }
        #expect(stubs.count == 7)
        let classes = folder.path("classes")
        try run("kotlinc", ["-cp", Self.libraries[1], "-d", classes, file, android + "/Run.kt"] + stubs)
        try run("javac", ["-d", classes] + stubs)
        return ([classes] + Self.libraries).joined(separator: ":")
    }

    @discardableResult
    private func run(_ program: String, _ words: [String]) throws -> String {
        let result = try BuiltProgram.run(program, words)
        try #require(result.status == 0, "\(result.errors)")
        return result.output
    }

    @Test("compiles, and makes of a player's statistics plays that the server takes with their meaning")
    func plays() throws {
        let folder = try TemporaryFolder()
        let path = try program(in: folder)
        let keys = folder.path("keys")
        try "android wwwwwwwwwwwwwwww\n".write(toFile: keys, atomically: true, encoding: .utf8)
        let server = try ServerProcess(data: folder.path("data"), options: ["--write-keys", keys])
        let address = "http://127.0.0.1:\(server.port)\(ServerProcess.eventsPath)"
        // Both senders are through; a server that is not there keeps the play.
        #expect(try run("java", ["-cp", path, "RunKt", address, "wwwwwwwwwwwwwwww"]) == "true true\nfalse\n")
        try server.waitForFollower()
        let database = try SQLiteConnection(path: folder.path("data/qoe.sqlite"), mode: .readOnly)
        let rows = try database.prepare(
            """
            SELECT video_id || ' ' || coalesce(startup_ms, '-') || ' ' || coalesce(waited_ms, '-') || ' ' || watched_ms
                || ' ' || stalls || ' ' || stalled_ms || ' ' || coalesce(error_code, '-') || ' '
                || coalesce(avg_bitrate, '-') || ' ' || coalesce(bytes, '-')
                || ' ' || coalesce(cdn_region, '-')
            FROM plays ORDER BY video_id
            """)
        var found: [String] = []
        while try rows.step() { found.append(rows.text(0)) }
        #expect(
            found.map { $0.split(separator: " ").prefix(7).joined(separator: " ") } == [
                "given-up - 3100 0 0 0 -", "preloaded - - 1000 0 0 -", "recovered - - 6300 1 300 -",
                "refused - 800 0 0 0 ExoPlayer#2004", "stalled 412 - 15900 2 900 -",
            ])
        #expect(found.last?.hasSuffix(" 1800000 4000000 eu-west") == true, "\(found)")
        #expect(try database.integer("SELECT sum(made) FROM accounts") == 5)
        #expect(try database.integer("SELECT sum(dropped + rejected) FROM accounts") == 0)
    }
}
