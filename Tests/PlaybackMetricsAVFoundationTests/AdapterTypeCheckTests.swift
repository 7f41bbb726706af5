import Foundation
import TestSupport
import Testing

/// The adapter's code for Apple's systems is no part of the build here: the compiler checks it against fakes of their modules.
/// What it does on them, `.make/check-client` runs.
@Suite("The adapter's code for Apple's systems", .timeLimit(.minutes(3)))
struct AdapterTypeCheckTests {
    private static let name = "PlaybackMetricsAVFoundation"
    private static let tests = "Tests/PlaybackMetricsAVFoundationTests"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let client = SwiftCompiler.sources(in: "Sources/PlaybackMetricsClient")
        #expect(try SwiftCompiler.compile(client, as: "PlaybackMetricsClient", in: folder) == nil)
        for module in ["AVFoundation", "Network", "UIKit", "SwiftUI"] {
            let tests = module == "SwiftUI" ? "Tests/SampleFeedTests" : Self.tests
            let fake = SwiftCompiler.sources(in: "\(tests)/Fakes/\(module)")
            #expect(try SwiftCompiler.compile(fake, as: module, in: folder) == nil)
        }
    }

    @Test("fits the interfaces that Apple documents, shows what it should, and is used as the documentation says")
    func typeChecks() throws {
        let adapter = SwiftCompiler.sources(in: "Sources/\(Self.name)")
        let options = ["-warnings-as-errors"] + SwiftCompiler.emitting(Self.name, in: folder)
        #expect(try SwiftCompiler.compile(adapter, as: Self.name, in: folder, options: options) == nil)
        let graph = folder.url.appendingPathComponent("\(Self.name).symbols.json")
        let interface = try PublicInterface(symbolGraph: graph)
        let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("\(Self.name).interface.txt")
        #expect(try interface.difference(from: list) == [])
        #expect(interface.undocumented == [])
        #expect(interface.lines.contains { $0.hasPrefix("AVPlayerMetrics  ") })
        #expect(interface.lines.contains { $0.hasPrefix("AppLifecycle  ") })
        #expect(interface.lines.contains { $0.hasPrefix("NetworkObserver  ") })
        #expect(interface.lines.contains { $0.hasPrefix("PlaybackMetricsOverlay  ") })
        try checkDocumentation()
        try checkDefaultIsolation()
        // What is there only with the SDK of iOS 27.
        let newer = ["-typecheck", "-warnings-as-errors", "-D", "PLAYBACK_METRICS_SDK_27"]
        #expect(try SwiftCompiler.compile(adapter, as: Self.name, in: folder, options: newer) == nil)
    }

    /// A model of an app whose code is on the main actor unless it says otherwise, as Xcode makes new ones.
    private func checkDefaultIsolation() throws {
        let sample = SwiftCompiler.sources(in: "\(Self.tests)/Samples").filter {
            $0.hasSuffix("/DefaultIsolation.swift")
        }
        for options in [["-default-isolation", "MainActor"], ["-default-isolation", "nonisolated"]] {
            let wrong = try SwiftCompiler.compile(
                sample, as: "DefaultIsolation", in: folder, options: ["-typecheck", "-warnings-as-errors"] + options)
            #expect(sample.count == 1 && wrong == nil)
        }
    }

    /// Whatever the documentation tells app teams to write compiles, seen from outside.
    private func checkDocumentation() throws {
        let catalogue = Checkout.root.appendingPathComponent("Sources/PlaybackMetricsClient/PlaybackMetricsClient.docc")
        let articles = try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
        let pages = articles.filter { $0.pathExtension == "md" } + [Checkout.root.appendingPathComponent("README.md")]
        let shown = try pages.map(DocumentedCode.init(page:)).filter { !$0.isEmpty }
        #expect(Set(shown.map(\.name)).isSuperset(of: ["GettingStarted", "TestingYourIntegration", "README"]))
        for code in shown {
            let wrong = try whatIsWrong(with: code, code.source())
            #expect(wrong == nil, "in \(code.name).md")
        }

        let sources = ["PlaybackMetricsClient", Self.name].flatMap { SwiftCompiler.sources(in: "Sources/\($0)") }
        let comments = try DocumentedCode(named: "Comments", commentsOf: sources)
        #expect(!comments.isEmpty)
        let imports = ["Foundation", "AVFoundation", "PlaybackMetricsClient", Self.name]
        let wrong = try whatIsWrong(with: comments, comments.source(importing: imports))
        #expect(wrong == nil, "in the comments of the sources")
    }

    private func whatIsWrong(with code: DocumentedCode, _ source: String) throws -> String? {
        let file = folder.path("\(code.name).shown.swift")
        try source.write(toFile: file, atomically: true, encoding: .utf8)
        let taken = SwiftCompiler.sources(in: "\(Self.tests)/Samples").filter { $0.hasSuffix("/\(code.name).swift") }
        // As apps are built: with Xcode's default isolation and without, and by those who still have Swift 5.
        for settings in [["-default-isolation", "MainActor"], [], ["-swift-version", "5"]] {
            let wrong = try SwiftCompiler.compile(
                [file] + taken, as: "\(code.name)Code", in: folder,
                options: ["-typecheck", "-warnings-as-errors"] + settings)
            if let wrong { return "with \(settings): \(wrong)" }
        }
        return nil
    }
}

/// The Swift code that a page of documentation shows, as one function that the compiler can check.
private struct DocumentedCode {
    /// What the code takes for granted is declared in the file of that name in `Samples`.
    let name: String
    private let blocks: [[Substring]]

    /// A page written in Markdown.
    init(page: URL) throws {
        name = page.deletingPathExtension().lastPathComponent
        blocks = Self.blocks(try String(contentsOf: page, encoding: .utf8).split(separator: "\n"))
    }

    /// The comments of source files.
    init(named name: String, commentsOf files: [String]) throws {
        self.name = name
        blocks = try files.flatMap { file in
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            let comments = lines.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("///") }
            return Self.blocks(comments.map { $0.dropFirst(3).prefix(1) == " " ? $0.dropFirst(4) : $0.dropFirst(3) })
        }
    }

    var isEmpty: Bool { blocks.isEmpty }

    /// The imports in front; then each block sees what the blocks before it declare, and may declare it anew.
    ///
    /// - Parameter imports: modules for code that does not say which ones it needs.
    func source(importing imports: [String] = []) -> String {
        let lines = blocks.flatMap(\.self)
        let own = lines.filter { $0.hasPrefix("import ") }.map(String.init)
        let nested = blocks.map { block in
            // Code that stands alone leaves things unused, which is no fault of it.
            let used = block.compactMap { $0.firstMatch(of: /^(?:let|var) (\w+)/)?.output.1 }.map { "_ = \($0)" }
            let code = block.filter { !$0.hasPrefix("import ") }.map(String.init)
            return "do {\n" + (code + used).joined(separator: "\n")
        }
        return (imports.map { "import \($0)" } + own).joined(separator: "\n")
            + "\n@MainActor func shown() async throws {\n" + nested.joined(separator: "\n")
            + String(repeating: "\n}", count: nested.count + 1) + "\n"
    }

    private static func blocks(_ lines: [Substring]) -> [[Substring]] {
        var blocks: [[Substring]] = []
        var isOpen = false
        for line in lines {
            if line == "```swift" {
                isOpen = true
                blocks.append([])
            } else if line.hasPrefix("```") {
                isOpen = false
            } else if isOpen {
                blocks[blocks.count - 1].append(line)
            }
        }
        return blocks
    }
}
