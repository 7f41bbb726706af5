import Foundation
import SQLite
import Testing
import TestSupport

/// A page that sends what recorded players sent, at their pace, from another origin.
@Suite("Players' reports from a page in Chromium", .tools)
struct ReportingPageTests {
    /// A request of a recording (Tests/cases/cmcd/README.md), as the page sends it.
    private struct Request: Codable {
        var receivedAt: Int64
        var method: String
        var query: String
        var contentType: String?
        var headers: [String: String]?
        var body: String
        var answered: Int
    }

    private struct Recording: Encodable {
        struct Head: Decodable {
            var heartbeatSeconds: Int64
        }

        var requests: [Request]

        init(_ file: URL) throws {
            let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
            let heartbeat = try JSONDecoder().decode(Head.self, from: lines[0]).heartbeatSeconds
            requests = try lines.dropFirst().map { try JSONDecoder().decode(Request.self, from: $0) }
                .filter { (200..<300).contains($0.answered) }
            for index in requests.indices {
                requests[index].query += (requests[index].query.isEmpty ? "" : "&") + "heartbeat=\(heartbeat)"
            }
        }

        /// Those of `-b` take up the session of `-a` at another time.
        static func all() throws -> [Recording] {
            try FileManager.default.contentsOfDirectory(
                at: Checkout.cases.appendingPathComponent("cmcd"), includingPropertiesForKeys: nil
            ).filter { $0.pathExtension == "ndjson" && !$0.lastPathComponent.hasSuffix("samesid-b.ndjson") }
                .map(Recording.init)
        }

        /// How many lines of reports there are.
        var lines: Int {
            requests.reduce(0) { $0 + ($1.body.isEmpty ? 1 : $1.body.split(separator: "\n").count) }
        }

        /// Lines for `qoe load`. What stood in headers stands in the address.
        func loadLines() throws -> Data {
            var file = Data()
            for request in requests {
                var query = request.query
                if let headers = request.headers {
                    let report = headers.values.joined(separator: ",")
                    query += "&CMCD=" + (report.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
                }
                var line: [String: Any] = ["receivedAt": request.receivedAt, "cmcd": request.body, "query": query]
                line["contentType"] = request.contentType
                file += try JSONSerialization.data(withJSONObject: line) + Data("\n".utf8)
            }
            return file
        }
    }

    /// Every recording beside the others. Its times are moved to now, for players tell those of their own clock.
    private static let script = """
        const wait = ms => new Promise(done => setTimeout(done, ms));
        const play = async ({requests}) => {
            const begun = Date.now(), shift = begun - requests[0].receivedAt;
            const now = text => text.replace(/(ts(?:=|%3D))(\\d{13})/gi, (_, key, ts) => key + (+ts + shift));
            for (const request of requests) {
                await wait(request.receivedAt + shift - Date.now());
                const headers = {};
                if (request.contentType) headers["Content-Type"] = request.contentType;
                for (const name in request.headers ?? {}) headers[name] = now(request.headers[name]);
                const address = `${endpoint}?${now(request.query)}`;
                fetch(address, {
                    method: request.method, headers, body: request.method == "POST" ? now(request.body) : undefined
                });
            }
        };
        fetch("recordings.json").then(file => file.json()).then(all => all.filter(one => one.requests.length).forEach(play));
        """

    @Test("become the plays that the same reports become in an import, preflights and all")
    func replayed() throws {
        let recordings = try Recording.all()
        try #require(recordings.count > 80)
        let folder = try TemporaryFolder()
        let port = try BackgroundProcess.freePort()
        let origin = "http://127.0.0.1:\(port)"
        let server = try ServerProcess(data: folder.path("live"), options: ["--cors-origin", origin])
        let pages = folder.path("pages")
        try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: true)
        try JSONEncoder().encode(recordings).write(to: URL(fileURLWithPath: pages + "/recordings.json"))
        let endpoint = "http://127.0.0.1:\(server.port)/v1/cmcd"
        try "<!DOCTYPE html><script>const endpoint = '\(endpoint)';\n\(Self.script)</script>"
            .write(toFile: pages + "/page.html", atomically: true, encoding: .utf8)
        let host = try BackgroundProcess(
            ["python3", "-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory", pages],
            output: folder.path("pages.log"))
        try host.waitForPort(port)
        let browser = try BackgroundProcess(
            [
                "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--user-data-dir=\(folder.path("profile"))", "--remote-debugging-port=0", origin + "/page.html",
            ], output: folder.path("browser.log"))
        let expected = try plays(of: recordings, folder)
        let lines = recordings.reduce(0) { $0 + $1.lines }
        try waitUntil("\(lines) lines: \(browser.text)", seconds: 120) {
            try server.metric("qoe_cmcd_lines_total") ?? 0 >= Double(lines)
        }
        browser.stop()
        #expect(server.stop() == 0)
        // The end of an import closes what is still open; a player that is only loaded is no play.
        let now = Int64(Date.now.timeIntervalSince1970 * 1_000)
        try load(
            #"{"receivedAt":\#(now),"cmcd":"sta=d,sn=0,ts=\#(now),sid=\"last\",cid=\"none\""}"#, into: "live", folder)
        let live = try plays(in: "live", folder)
        #expect(live == expected, "\(live.difference(from: expected))")
        #expect(expected.count >= recordings.count)
    }

    /// What an import makes of each recording, one after another.
    private func plays(of recordings: [Recording], _ folder: TemporaryFolder) throws -> [String] {
        for recording in recordings {
            try load(String(decoding: try recording.loadLines(), as: UTF8.self), into: "loaded", folder)
        }
        return try plays(in: "loaded", folder)
    }

    private func load(_ lines: String, into data: String, _ folder: TemporaryFolder) throws {
        let result = try BuiltProgram("qoe").run(
            ["load", "--any-time", "--data", folder.path(data), "-"], input: lines)
        try #require(result.status == 0, "\(result.errors)")
    }

    private func plays(in data: String, _ folder: TemporaryFolder) throws -> [String] {
        let rows = try SQLiteConnection(path: folder.path(data + "/qoe.sqlite"), mode: .readOnly).prepare(
            """
            SELECT format('%s %s %s %s %s %s %s %s %s %s %s', session_id, video_id, startup_ms, stalls, stalled_ms, watched_ms, waited_ms,
                avg_bitrate, error_code, attempt, ended_by)
            FROM plays ORDER BY 1
            """)
        var plays: [String] = []
        while try rows.step() { plays.append(rows.text(0)) }
        return plays
    }
}
