import Foundation
import Testing
import TestSupport

@Suite("A server with keys")
struct AccessTests {
    private static let writeKey = "ws-3f9ab27c51d84e60"
    private static let secondKey = "w2-77aa10be93cc4d1f"
    private static let readKey = "rs-0c8d55e1f2a34b96"

    private let folder: TemporaryFolder
    private let server: ServerProcess
    private var keyFile: String { folder.path("write-keys") }

    init() throws {
        folder = try TemporaryFolder()
        try "# ours\nios \(Self.writeKey)\n".write(
            toFile: folder.path("write-keys"), atomically: true, encoding: .utf8)
        try "grafana \(Self.readKey)\n".write(toFile: folder.path("read-keys"), atomically: true, encoding: .utf8)
        server = try ServerProcess(
            data: folder.path("data"),
            options: ["--write-keys", folder.path("write-keys"), "--read-keys", folder.path("read-keys")])
    }

    private func post(_ key: String?, query: String = "") throws -> LoopbackConnection.Response {
        try server.post(
            SampleBatch.body(ids: [SampleBatch.newId()]), to: ServerProcess.eventsPath + query,
            fields: key.map { ["Authorization": "Bearer \($0)"] } ?? [:])
    }

    private func report(_ key: String?) throws -> Int {
        let fields = key.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        return try server.connect().get("/v1/reports/summary.csv", fields: fields).status
    }

    @Test("takes plays with a write key alone and gives reports for a read key alone")
    func kinds() throws {
        #expect(try post(Self.writeKey).status == 202)
        #expect(try post(nil, query: "?key=" + Self.writeKey).status == 202)
        for (key, status) in [(nil, 401), (Self.readKey, 403), (Self.writeKey + "x", 403), ("", 403)] {
            let answer = try post(key)
            #expect(answer.status == status)
            #expect(answer.text == #"{"error":"unauthorized"}"#)
            #expect(answer.fields["www-authenticate"]?.lowercased().contains("basic") != true)
        }
        #expect(try post(nil, query: "?key=" + Self.readKey).status == 403)
        #expect(try report(Self.readKey) == 200)
        #expect(try report(nil) == 401)
        #expect(try report(Self.writeKey) == 403)
        #expect(try server.connect().get("/").status == 401)
    }

    @Test("has them in no answer, log, metric or file of its data")
    func hygiene() throws {
        let keys = [Self.writeKey, Self.readKey, "wrong-and-secret-key"]
        var texts: [String] = []
        for key in keys {
            for (path, fields) in [
                (ServerProcess.eventsPath + "?key=\(key)", [:]),
                (ServerProcess.eventsPath, ["Authorization": "Bearer \(key)"]),
                (ServerProcess.eventsPath, ["Authorization": "Basic \(key)"]),
                ("/nowhere?key=\(key)", [:]), ("/v1/reports/summary.csv?key=\(key)&day=never", [:]),
                ("/v1/reports/\(key).csv", ["Authorization": "Bearer \(key)"]),
            ] {
                for body in [SampleBatch.body(ids: [SampleBatch.newId()]), "{", #"{"events":[{}]}"#] {
                    let answer = try server.post(body, to: path, fields: fields)
                    texts.append("\(answer.fields) \(answer.text)")
                    texts.append(try server.connect().get(path, fields: fields).text)
                }
            }
            let broken = try server.connect()
            try broken.send("GET /?key=\(key) HTTP/1.1\r\nHost: a\r\nHost: b\r\nAuthorization: Bearer \(key)\r\n\r\n")
            texts.append(try broken.response().text)
        }
        // A file that is wrong is named by its line.
        try "ios \(Self.writeKey) \(Self.secondKey)\n".write(toFile: keyFile, atomically: true, encoding: .utf8)
        server.signal(SIGHUP)
        try waitUntil("the log to say so") { try server.count(logged: "keys not reloaded") == 1 }
        texts.append(try server.admin("/metrics").text)
        texts.append(try server.admin("/readyz").text)
        try server.waitForFollower()
        texts.append(server.log)
        for key in keys + [Self.secondKey] {
            #expect(!texts.contains { $0.contains(key) })
            let found = try BuiltProgram.run("grep", ["-r", "-l", "-a", key, server.dataDirectory])
            #expect(found.status == 1, "\(found.output)")
            let zipped = try BuiltProgram.run(
                "sh", ["-c", "zcat $(find \(server.dataDirectory) -name '*.gz') | grep -c \(key)"])
            #expect(zipped.output == "0\n")
        }
    }

    @Test("reads them again on SIGHUP, and keeps those in force when the file is wrong")
    func reload() throws {
        #expect(try post(Self.secondKey).status == 403)
        try "web \(Self.secondKey)\n".write(toFile: keyFile, atomically: true, encoding: .utf8)
        server.signal(SIGHUP)
        try waitUntil("the new key") { try post(Self.secondKey).status == 202 }
        #expect(try post(Self.writeKey).status == 403)
        for wrong in ["", "web short", "# nothing\n"] {
            let before = try server.count(logged: "keys not reloaded")
            try wrong.write(toFile: keyFile, atomically: true, encoding: .utf8)
            server.signal(SIGHUP)
            try waitUntil("the log to say so") { try server.count(logged: "keys not reloaded") == before + 1 }
            #expect(try post(Self.secondKey).status == 202)
            #expect(try post(nil).status == 401)
        }
        try FileManager.default.removeItem(atPath: keyFile)
        server.signal(SIGHUP)
        try waitUntil("the log to say so") { try server.count(logged: "keys not reloaded") == 4 }
        #expect(try post(nil).status == 401)
        #expect(try post(Self.secondKey).status == 202)
    }

    @Test("or without, listens on loopback alone unless told otherwise by name")
    func loopback() throws {
        let qoe = BuiltProgram("qoe")
        let words = ["serve", "--data", folder.path("other"), "--listen", "0.0.0.0:0", "--admin-listen", ":0"]
        let refused = try qoe.run(words)
        #expect(refused.status == 78 && refused.errors.contains("--allow-anonymous"), "\(refused.errors)")
        // A read key alone lets nobody write.
        let readOnly = try qoe.run(words + ["--read-keys", folder.path("read-keys")])
        #expect(readOnly.status == 78, "\(readOnly.errors)")
    }
}
