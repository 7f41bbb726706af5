import Foundation
import TestSupport
import Testing

@Suite("The image that make image leaves", .tools)
struct ImageTests {
    /// What an image says of itself.
    private struct Image: Decodable {
        struct Config: Decodable {
            struct Check: Decodable { var Test: [String] }
            var User: String
            var Env: [String]
            var Entrypoint: [String]
            var Cmd: [String]
            var Volumes: [String: [String: String]]
            var ExposedPorts: [String: [String: String]]
            var StopSignal: String
            var Healthcheck: Check
        }
        var config: Config
    }

    private struct Manifest: Decodable {
        var Config: String
        var RepoTags: [String]
        var Layers: [String]
    }

    @Test(
        "serves as a user without rights who writes to /data alone, tells that it is well, and ends on its signal",
        .enabled(if: CleanRoot.obstacle == nil, CleanRoot.obstacle))
    func serves() throws {
        _ = try CleanRoot.make("image")
        let files = try TemporaryFolder()
        let tar = Checkout.root.appendingPathComponent("dist/qoe-image.tar").path
        try #require(try BuiltProgram.run("tar", ["-x", "-f", tar, "-C", files.path]).status == 0)
        func read<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
            try JSONDecoder().decode(type, from: Data(contentsOf: URL(fileURLWithPath: files.path(name))))
        }
        let manifest = try #require(try read([Manifest].self, "manifest.json").first)
        #expect(manifest.RepoTags.count == 1 && manifest.RepoTags[0].contains("/qoe:"))
        let config = try read(Image.self, manifest.Config).config
        #expect(config.User == "10001:10001" && config.StopSignal == "SIGTERM")
        #expect(Array(config.Volumes.keys) == ["/data"])
        #expect(config.ExposedPorts.keys.sorted() == ["8080/tcp", "9090/tcp"])

        let root = try CleanRoot()
        for layer in manifest.Layers { try root.unpack(files.path(layer)) }
        var environment: [String: String] = [:]
        for setting in config.Env {
            let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
            if parts[0].hasPrefix("QOE_") { environment[parts[0]] = parts[1] }
        }
        let words = config.Entrypoint + config.Cmd
        let open = try root.run(words, user: config.User, environment: environment)
        #expect(open.status == 78 && open.errors.contains("/etc/qoe/write-keys"), "\(open.errors)")

        environment["QOE_WRITE_KEYS"] = nil
        #expect(config.Cmd == ["serve"])
        let server = try ServerProcess(
            data: "/data", wrapper: root.wrapper(user: config.User, environment: environment),
            program: config.Entrypoint[0])
        #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202)
        #expect(config.Healthcheck.Test.first == "CMD")
        let check = config.Healthcheck.Test.dropFirst()
        func isWell(port: Int) throws -> Bool {
            let words = check.map { $0.replacingOccurrences(of: "/9090", with: "/\(port)") }
            return try root.run(words, user: config.User).status == 0
        }
        #expect(try isWell(port: server.adminPort))
        let port = server.adminPort
        #expect(server.stop() == 0)
        #expect(try !isWell(port: port))
        let touch = try root.run(["touch", "/usr/local/bin/qoe", "/etc/passwd"], user: config.User)
        #expect(touch.status != 0)
        #expect(try root.run(config.Entrypoint + ["verify", "--data", "/data"], user: config.User).status == 0)
    }

    @Test("is described by a file whose settings the server knows")
    func settings() throws {
        let help = try BuiltProgram("qoe").run(["serve", "--help"]).output
        let files = [("docker", "Dockerfile"), ("kubernetes", "qoe-kubernetes.yml")]
        for (sample, file) in files {
            let text = try SampleConfigFolder(sample).text(file)
            let names = text.matches(of: /QOE_[A-Z_]+/).map { String($0.output) }
            #expect(names.count >= 4)
            for name in names { #expect(help.contains("[\(name)]"), "\(file): \(name)") }
        }
    }

    @Test("runs on Kubernetes once, with a volume, probes on the admin port, and time to stop")
    func kubernetes() throws {
        let folder = try SampleConfigFolder("kubernetes")
        let script = "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))"
        let read = try BuiltProgram.run("python3", ["-c", script, folder.path("qoe-kubernetes.yml")])
        try #require(read.status == 0, "\(read.errors)")
        let documents = try #require(
            try JSONSerialization.jsonObject(with: Data(read.output.utf8)) as? [[String: Any]])
        #expect(documents.map { $0["kind"] as? String } == ["Service", "StatefulSet"])
        let spec = try #require(documents[1]["spec"] as? [String: Any])
        #expect(spec["replicas"] as? Int == 1)
        let pod = try #require((spec["template"] as? [String: Any])?["spec"] as? [String: Any])
        #expect(pod["terminationGracePeriodSeconds"] as? Int ?? 0 > 10)
        let context = try #require(pod["securityContext"] as? [String: Any])
        #expect(context["runAsUser"] as? Int == 10_001 && context["fsGroup"] as? Int == 10_001)
        let container = try #require((pod["containers"] as? [[String: Any]])?.first)
        for (name, path) in [
            ("startupProbe", "/healthz"), ("livenessProbe", "/healthz"), ("readinessProbe", "/readyz"),
        ] {
            let probe = (container[name] as? [String: Any])?["httpGet"] as? [String: Any]
            #expect(probe?["path"] as? String == path && probe?["port"] as? String == "admin", "\(name)")
        }
        let mounts = try #require(container["volumeMounts"] as? [[String: Any]]).compactMap { $0["name"] as? String }
        let claims = try #require(spec["volumeClaimTemplates"] as? [[String: Any]])
            .compactMap { ($0["metadata"] as? [String: Any])?["name"] as? String }
        let volumes = try #require(pod["volumes"] as? [[String: Any]]).compactMap { $0["name"] as? String }
        #expect(Set(mounts) == Set(claims + volumes))
    }
}
