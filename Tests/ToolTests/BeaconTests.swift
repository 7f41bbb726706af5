import Foundation
import TestSupport
import Testing

@Suite("A page of another origin in Chromium", .tools)
struct BeaconTests {
    private static let types = ["application/json", "text/plain", "application/json; charset=UTF-8"]

    @Test("loses no play that it sends as a beacon, whichever way the text is wrapped", arguments: [true, false])
    func beacons(isNamed: Bool) throws {
        let chromium = try Chromium()
        let port = try BackgroundProcess.freePort()
        let origin = "http://127.0.0.1:\(port)"
        let keys = chromium.folder.path("keys")
        try "web wwwwwwwwwwwwwwww\n".write(toFile: keys, atomically: true, encoding: .utf8)
        let server = try ServerProcess(
            data: chromium.folder.path("data"),
            options: ["--cors-origin", isNamed ? origin : "*", "--write-keys", keys])
        let answers = try sendBeacons(to: server.port, from: origin, port, in: chromium)
        #expect(answers == Self.types.map { _ in "true" })
        try waitUntil("the plays") {
            try server.metric("qoe_events_accepted_total") == Double(Self.types.count)
        }
    }

    @Test("loses every beacon where its origin is not allowed, as browsers have it")
    func refused() throws {
        let chromium = try Chromium()
        let port = try BackgroundProcess.freePort()
        let server = try ServerProcess(
            data: chromium.folder.path("data"), options: ["--cors-origin", "http://elsewhere.example"])
        let answers = try sendBeacons(to: server.port, from: "http://127.0.0.1:\(port)", port, in: chromium)
        #expect(answers == Self.types.map { _ in "true" })
        // Plain text needs nobody's leave.
        try waitUntil("the one play") { try server.metric("qoe_events_accepted_total") == 1 }
        #expect(try server.metric("qoe_events_received_total") == 1)
    }

    /// - Returns: what the browser said of each beacon.
    private func sendBeacons(
        to endpoint: Int, from origin: String, _ port: Int, in chromium: Chromium
    ) throws -> [String] {
        let address = "http://127.0.0.1:\(endpoint)\(ServerProcess.eventsPath)?key=wwwwwwwwwwwwwwww"
        let folder = chromium.folder.path("pages")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let calls = Self.types.map { type in
            "navigator.sendBeacon('\(address)', new Blob([body()], {type: '\(type)'}))"
        }
        let page = """
            <!DOCTYPE html><pre id="found"></pre><script>
            const body = () => JSON.stringify({events: [
              {playId: crypto.randomUUID(), videoId: "v", stalls: 0, stalledMs: 0, watchedMs: 20000}]});
            document.getElementById("found").textContent = [\(calls.joined(separator: ", "))].join(",");
            </script>
            """
        try page.write(toFile: folder + "/page.html", atomically: true, encoding: .utf8)
        let pages = try BackgroundProcess(
            ["python3", "-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory", folder],
            output: chromium.folder.path("pages.log"))
        try pages.waitForPort(port)
        let document = try chromium.load(address: origin + "/page.html").document
        let found = try #require(document.firstMatch(of: /<pre id="found">([^<]*)<\/pre>/)).output.1
        return found.split(separator: ",").map(String.init)
    }
}

/// Debian's Chromium without a window, with a profile that goes away.
struct Chromium {
    let folder: TemporaryFolder

    struct Page {
        /// The document as it stands after its scripts.
        var document: String
        /// What the console shows, one text a message.
        var console: [String]
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Loads a file, and files that it shows in frames.
    func load(_ file: String) throws -> Page {
        try load(address: URL(fileURLWithPath: file).absoluteString)
    }

    func load(address: String) throws -> Page {
        let result = try run(["--allow-file-access-from-files", "--virtual-time-budget=5000", "--dump-dom"], address)
        let console = result.errors.split(separator: "\n").filter { $0.contains(":CONSOLE") }
        return Page(document: result.output, console: console.map(String.init))
    }

    /// A file's text as it is, before a browser has seen it.
    func text(_ file: String) throws -> String {
        try String(contentsOfFile: file, encoding: .utf8)
    }

    /// A picture of the page's top.
    ///
    /// - Returns: the PNG file's bytes.
    func screenshot(_ file: String, width: Int, height: Int) throws -> Data {
        let picture = folder.path("\(width).png")
        let address = URL(fileURLWithPath: file).absoluteString
        _ = try run(["--window-size=\(width),\(height)", "--screenshot=\(picture)"], address)
        return try Data(contentsOf: URL(fileURLWithPath: picture))
    }

    private func run(_ words: [String], _ address: String) throws -> BuiltProgram.Result {
        let result = try BuiltProgram.run(
            "timeout",
            [
                "120", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                "--user-data-dir=\(folder.path("profile"))", "--enable-logging=stderr", "--v=0",
            ] + words + [address])
        try #require(result.status == 0, "\(result.errors)")
        return result
    }
}
