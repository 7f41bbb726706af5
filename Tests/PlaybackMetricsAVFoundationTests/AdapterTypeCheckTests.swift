import Foundation
import TestSupport
import Testing

/// The adapter's code for Apple's systems is not built here: the compiler checks it against stand-ins for their modules.
@Suite("The adapter's code for Apple's systems", .timeLimit(.minutes(3)))
struct AdapterTypeCheckTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let client = SwiftCompiler.sources(in: "Sources/PlaybackMetricsClient")
        #expect(try SwiftCompiler.compile(client, as: "PlaybackMetricsClient", in: folder) == nil)
        for stub in SwiftCompiler.sources(in: "Tests/PlaybackMetricsAVFoundationTests/Stubs") {
            let module = URL(fileURLWithPath: stub).deletingPathExtension().lastPathComponent
            #expect(try SwiftCompiler.compile([stub], as: module, in: folder) == nil)
        }
    }

    @Test("fits the interfaces that Apple documents, shows what it should, and is used as the documentation says")
    func typeChecks() throws {
        let name = "PlaybackMetricsAVFoundation"
        let adapter = SwiftCompiler.sources(in: "Sources/\(name)")
        let options = ["-warnings-as-errors"] + SwiftCompiler.emitting(name, in: folder)
        #expect(try SwiftCompiler.compile(adapter, as: name, in: folder, options: options) == nil)
        let graph = folder.url.appendingPathComponent("\(name).symbols.json")
        let interface = try PublicInterface(symbolGraph: graph)
        let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("\(name).interface.txt")
        #expect(try interface.difference(from: list) == [])
        #expect(interface.undocumented == [])
        #expect(interface.lines.contains { $0.hasPrefix("AVPlayerMetrics  ") })
        #expect(interface.lines.contains { $0.hasPrefix("AppLifecycle  ") })
        #expect(interface.lines.contains { $0.hasPrefix("NetworkObserver  ") })

        // What the documentation tells app teams to write, seen from outside.
        let sample = try #require(SwiftCompiler.sources(in: "Tests/PlaybackMetricsAVFoundationTests/Samples").first)
        let outside = ["-warnings-as-errors", "-typecheck"]
        #expect(try SwiftCompiler.compile([sample], as: "Sample", in: folder, options: outside) == nil)
        let lines = try Set(self.lines(of: sample))
        let article = Checkout.root.path + "/Sources/PlaybackMetricsClient/PlaybackMetricsClient.docc/GettingStarted.md"
        let blocks = try String(contentsOfFile: article, encoding: .utf8).components(separatedBy: "```").enumerated()
        let code = blocks.filter { $0.offset % 2 == 1 }.flatMap { $0.element.split(separator: "\n").dropFirst() }
        #expect(code.count > 20)
        for line in code.map({ $0.trimmingCharacters(in: .whitespaces) }) {
            #expect(lines.contains(line), "the article says: \(line)")
        }
    }

    private func lines(of path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }
}
