import Foundation
import SQLite
import Testing
import TestSupport

@Suite("The sample configuration for nginx", .tools)
struct NginxSampleTests {
    private static let key = "0b9e6a52c87d4f1f9a34de61"
    private static let path = "/v1/playback-events"
    private let folder: TemporaryFolder
    private let server: ServerProcess
    private let edge: NginxEdge

    init() throws {
        folder = try TemporaryFolder()
        try "app \(Self.key)\n".write(toFile: folder.path("keys"), atomically: true, encoding: .utf8)
        server = try ServerProcess(
            data: folder.path("data"),
            options: [
                "--write-keys", folder.path("keys"), "--region-header", "X-Edge-Region", "--trusted-proxy", "127.0.0.1",
                "--cors-origin", "*",
            ])
        edge = try NginxEdge(upstream: server.port)
    }

    private func rows(_ sql: String) throws -> [[String]] {
        try server.waitForFollower()
        let statement = try SQLiteConnection(path: folder.path("data/qoe.sqlite"), mode: .readOnly).prepare(sql)
        var rows: [[String]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map { statement.text($0) }) }
        return rows
    }

    @Test("is one that nginx takes without a word of warning")
    func check() throws {
        let result = try edge.check()
        #expect(result.status == 0)
        #expect(!result.errors.contains("[warn]") && !result.errors.contains("[emerg]"), "\(result.errors)")
    }

    @Test("brings a batch over TLS into the database, in the edge's region whatever the client says")
    func batch() throws {
        let id = SampleBatch.newId()
        let answer = try edge.request(
            Self.path, "--header", "Authorization: Bearer \(Self.key)", "--header", "X-Edge-Region: forged", "--header",
            "Content-Type: application/json", "--data-binary", try edge.file(SampleBatch.body(ids: [id])))
        #expect(answer.status == 202 && answer.body == #"{"accepted":1,"rejected":[]}"#)
        let plays = "SELECT play_id, cdn_region, region_from FROM plays"
        #expect(try rows(plays) == [[id, "eu-west", "header"]])
    }

    @Test("passes compressed bodies, answers with CORS fields and preflights on as they are, over few connections")
    func passesOn() throws {
        let bearer = "Authorization: Bearer \(Self.key)"
        let body = try edge.file(SampleBatch.body(ids: [SampleBatch.newId()]))
        let packed = try BuiltProgram.run("gzip", ["--keep", String(body.dropFirst())])
        #expect(packed.status == 0)
        for _ in 0..<5 {
            let answer = try edge.request(
                Self.path, "--header", bearer, "--header", "Content-Encoding: gzip", "--header",
                "Content-Type: application/json", "--header", "Origin: https://a.example", "--data-binary", body + ".gz"
            )
            #expect(answer.status == 202)
            #expect(answer.fields.contains("access-control-allow-origin: https://a.example"))
        }
        #expect(
            try edge.request(Self.path, "--request", "OPTIONS", "--header", "Origin: https://a.example").status == 204)
        // The server closes those on which it refuses a key.
        #expect(try server.metric("qoe_connections_total") ?? 99 <= 3)
        #expect(try edge.request(Self.path, "--data-binary", "{}").status == 401)
        #expect(try edge.request("/v1/reports/summary.csv?by=cdn").body == #"{"error":"unauthorized"}"#)
        #expect(try edge.request("/").status == 401)
        let script = try edge.request("/qoe-video.js")
        #expect(script.status == 200 && script.fields.contains("cross-origin-resource-policy: cross-origin"))
        // The largest that the server takes passes, and one that grows too large is the server's to refuse.
        let largest = try edge.file(padded(bytes: 1_048_576))
        let taken = try edge.request(
            Self.path, "--header", bearer, "--header", "Content-Type: application/json", "--data-binary", largest)
        #expect(taken.status == 202)
        let growing = try edge.file(padded(bytes: 9_000_000))
        #expect(try BuiltProgram.run("gzip", [String(growing.dropFirst())]).status == 0)
        let refused = try edge.request(
            Self.path, "--header", bearer, "--header", "Content-Encoding: gzip", "--header",
            "Content-Type: application/json", "--data-binary", growing + ".gz")
        #expect(refused.status == 413 && refused.body.contains(#""limit":8388608"#))
    }

    /// A batch of one play and much white space.
    private func padded(bytes: Int) -> String {
        let batch = SampleBatch.body(ids: [SampleBatch.newId()])
        return batch + String(repeating: " ", count: bytes - batch.utf8.count)
    }

    @Test("answers for itself in JSON: another path, a body that no server would take, a server that is gone")
    func ownAnswers() throws {
        let unknown = try edge.request("/nothing")
        #expect(unknown.status == 404 && unknown.body == #"{"error":"not_found"}"#)
        let large = try edge.file(padded(bytes: 1_048_577))
        let refused = try edge.request(Self.path, "--header", "Content-Type: text/plain", "--data-binary", large)
        #expect(refused.status == 413 && refused.body == #"{"error":"too_large","limit":1048576}"#)
        #expect(refused.fields.contains("access-control-allow-origin: *"))
        server.kill()
        let gone = try edge.request(Self.path, "--data-binary", "{}")
        #expect(gone.status == 503 && gone.body == #"{"error":"unavailable"}"#)
        #expect(gone.fields.contains("retry-after: 30"))
    }

    @Test("logs one JSON object a request, and neither a key nor an address, even when something goes wrong")
    func logs() throws {
        let body = try edge.file(SampleBatch.body(ids: [SampleBatch.newId()]))
        let query = "\(Self.path)?key=\(Self.key)"
        #expect(try edge.request(query, "--data-binary", body, "--header", "Content-Type: text/plain").status == 202)
        #expect(try edge.request(query, "--data-binary", body).status == 415)
        let huge = try edge.file(String(repeating: " ", count: 3_000_000))
        #expect(try edge.request(query, "--data-binary", huge).status == 413)
        #expect(try edge.request("/%22%5c%0a?key=\(Self.key)").status == 404)
        server.kill()
        #expect(try edge.request(query, "--data-binary", body).status == 503)

        let logs = try edge.stopAndReadLogs()
        let lines = logs.access.split(separator: "\n")
        #expect(lines.count == 5)
        var statuses: [Int] = []
        for line in lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            statuses.append(object["status"] as? Int ?? 0)
        }
        #expect(statuses == [202, 415, 413, 404, 503])
        #expect(!logs.all.contains(Self.key) && !logs.all.contains("key="), "\(logs.all)")
        #expect(!logs.all.contains("client: 127.0.0.1"))
    }
}
