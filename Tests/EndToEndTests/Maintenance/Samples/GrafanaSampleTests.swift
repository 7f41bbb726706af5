import Foundation
import Testing
import TestSupport

@Suite("The sample dashboards for Grafana")
struct GrafanaSampleTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let result = try BuiltProgram("qoe").run(["sample-config", "grafana", "--output", folder.path("grafana")])
        try #require(result.status == 0, "\(result.errors)")
    }

    private func panels(_ file: String) throws -> [[String: Any]] {
        let data = try Data(contentsOf: folder.url.appendingPathComponent("grafana/\(file)"))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(object["panels"] as? [[String: Any]])
    }

    private func targets(_ panel: [String: Any]) throws -> [[String: Any]] {
        try #require(panel["targets"] as? [[String: Any]])
    }

    private func server() throws -> ServerProcess {
        try "plays > 0\n".write(toFile: folder.path("levels"), atomically: true, encoding: .utf8)
        let options = ["--slo", folder.path("levels"), "--webhook", "http://127.0.0.1:1/"]
        let server = try ServerProcess(data: folder.path("data"), options: options)
        #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202)
        try server.waitForFollower()
        let export = ["export", "--data", folder.path("data"), "--output", folder.path("export")]
        #expect(try BuiltProgram("qoe").run(export).status == 0)
        let judged = "\nqoe_slo_judged_timestamp_seconds "
        try waitUntil("a look at the levels") { try server.admin("/metrics").text.contains(judged) }
        return server
    }

    @Test("ask only for metrics that the server has, each panel in a place of its own")
    func operatorsPage() throws {
        let exported = try server().admin("/metrics").text
        let panels = try panels("qoe-operator.json")
        #expect(panels.count > 15)
        for panel in panels {
            for target in try targets(panel) {
                let expression = try #require(target["expr"] as? String)
                let names = expression.matches(of: /(?:qoe|process)_[a-z_]+/).map { String($0.output) }
                #expect(!names.isEmpty, "\(expression)")
                for name in names {
                    #expect(exported.contains("\n\(name) ") || exported.contains("\n\(name){"), "no metric \(name)")
                }
            }
        }
        try expectApart(panels)
    }

    @Test("ask only for columns that the reports have, at addresses that the server knows")
    func reportsPage() throws {
        let server = try server()
        let panels = try panels("qoe-reports.json")
        #expect(panels.count > 8)
        for panel in panels {
            for target in try targets(panel) {
                let path = try #require(target["url"] as? String)
                let options = try #require(target["url_options"] as? [String: Any])
                let parameters = try #require(options["params"] as? [[String: String]])
                let query = parameters.map { parameter in
                    let value = (parameter["value"] ?? "")
                        .replacing("${__from:date:iso}", with: "2026-11-01T00:00:00.000Z")
                        .replacing("${__to:date:iso}", with: "2026-11-29T18:20:00.123Z")
                    #expect(!value.contains("$"))
                    return "\(parameter["key"] ?? "")=\(value)"
                }
                let answer = try server.connect().get("\(path)?\(query.joined(separator: "&"))")
                #expect(answer.status == 200, "\(path): \(answer.text)")
                let header = answer.text.prefix { !$0.isNewline }.split(separator: ",").map(String.init)
                let columns = try #require(target["columns"] as? [[String: String]])
                for column in columns {
                    let name = try #require(column["selector"])
                    #expect(header.contains(name), "\(path) has no column \(name)")
                }
            }
        }
        try expectApart(panels)
    }

    @Test("come with the sources that they name")
    func sources() throws {
        let file = folder.url.appendingPathComponent("grafana/qoe-grafana-datasources.yml")
        let sources = try String(contentsOf: file, encoding: .utf8)
        for page in ["qoe-operator.json", "qoe-reports.json"] {
            for panel in try panels(page) {
                let source = try #require(panel["datasource"] as? [String: String])
                #expect(sources.contains("uid: \(source["uid"] ?? "")\n    type: \(source["type"] ?? "")\n"))
            }
        }
    }

    /// No two panels may cover each other.
    private func expectApart(_ panels: [[String: Any]]) throws {
        var taken: Set<[Int]> = []
        for panel in panels {
            let position = try #require(panel["gridPos"] as? [String: Int])
            let (x, y, w, h) = (position["x"] ?? 0, position["y"] ?? 0, position["w"] ?? 0, position["h"] ?? 0)
            #expect(x + w <= 24 && w > 0 && h > 0)
            for column in x..<x + w {
                for row in y..<y + h {
                    let isFree = taken.insert([column, row]).inserted
                    #expect(isFree, "\(panel["title"] ?? "") lies on another")
                }
            }
        }
    }
}
