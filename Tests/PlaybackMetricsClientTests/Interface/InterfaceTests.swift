import Foundation
import TestSupport
import Testing

@Suite("The library's public interface", .timeLimit(.minutes(3)))
struct InterfaceTests {
    @Test("changes only on purpose, is documented whole, and becomes documentation without a warning")
    func interface() throws {
        let name = "PlaybackMetricsClient"
        let folder = try TemporaryFolder()
        let sources = SwiftCompiler.sources(in: "Sources/\(name)")
        #expect(try SwiftCompiler.compile(sources, as: name, in: folder) == nil)
        let graph = folder.url.appendingPathComponent("\(name).symbols.json")
        let interface = try PublicInterface(symbolGraph: graph)

        let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("\(name).interface.txt")
        #expect(try interface.difference(from: list) == [])
        #expect(interface.lines.count > 100)
        #expect(interface.undocumented == [])

        let catalogue = Checkout.root.appendingPathComponent("Sources/\(name)/\(name).docc").path
        let result = try SwiftCompiler.run([
            "docc", "convert", catalogue, "--additional-symbol-graph-dir", folder.path, "--diagnostic-level", "warning",
            "--fallback-display-name", name, "--fallback-bundle-identifier", name,
            // Else it copies the toolchain's page with its owner, which only root may.
            "--no-transform-for-static-hosting", "--output-dir", folder.path("documentation"),
        ])
        #expect(result.status == 0)
        #expect(!result.said.contains("warning:") && !result.said.contains("error:"), "\(result.said)")
    }
}
