import Foundation
import Testing
import TestSupport

@Suite("The sample configuration")
struct SampleConfigTests {
    private static let samples = [
        "systemd": ["qoe.service"], "nginx": ["qoe-nginx.conf"],
        "timer": ["qoe-export.service", "qoe-export.timer", "qoe-failed@.service"],
        "prometheus": ["prometheus.yml", "qoe-alerts.yml"],
        "grafana": [
            "qoe-grafana-datasources.yml", "qoe-grafana-dashboards.yml", "qoe-operator.json", "qoe-reports.json",
        ],
        "docker": ["Dockerfile"], "kubernetes": ["qoe-kubernetes.yml"],
    ]

    @Test(
        "is printed, or written under its files' own names; both are the files of the sources",
        arguments: samples.keys)
    func prints(name: String) throws {
        let folder = try TemporaryFolder()
        let expected = try #require(Self.samples[name])
        let printed = try BuiltProgram("qoe").run(["sample-config", name])
        #expect(printed.status == 0 && printed.errors.isEmpty)
        let written = try BuiltProgram("qoe").run(["sample-config", name, "--output", folder.path("new/folder")])
        #expect(written.status == 0 && written.output.isEmpty)
        let found = try FileManager.default.contentsOfDirectory(atPath: folder.path("new/folder")).sorted()
        #expect(found == expected.sorted())
        for file in expected {
            let text = try String(contentsOfFile: folder.path("new/folder/\(file)"), encoding: .utf8)
            let source = Checkout.root.appendingPathComponent("Sources/qoe/SampleConfigs/\(file)")
            #expect(text == (try String(contentsOf: source, encoding: .utf8)))
            #expect(printed.output.contains((expected.count > 1 ? "# file: \(file)\n" : "") + text))
        }
    }

    @Test("never takes the place of a file that is there")
    func existing() throws {
        let folder = try TemporaryFolder()
        try "mine".write(toFile: folder.path("qoe-export.timer"), atomically: true, encoding: .utf8)
        let result = try BuiltProgram("qoe").run(["sample-config", "timer", "--output", folder.path])
        #expect(result.status == 73 && result.errors.contains("qoe-export.timer is there already"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["qoe-export.timer"])
    }

    @Test("of something else is a usage error that names what there is")
    func unknown() throws {
        for words in [[], ["apache"], ["systemd", "nginx"]] {
            let result = try BuiltProgram("qoe").run(["sample-config"] + words)
            #expect(result.status == 64 && result.errors.contains("systemd, timer, nginx, prometheus, grafana"))
        }
    }
}
