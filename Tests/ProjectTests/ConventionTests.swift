import Foundation
import TestSupport
import Testing

@Suite("The source tree")
struct ConventionTests {
    /// What each target may import of ours: the arrows of the architecture, which point down only.
    private static let arrows: [String: Set<String>] = [
        "PlaybackMetricsClient": [],
        "PlaybackMetricsAVFoundation": ["PlaybackMetricsClient"],
        "SampleFeed": ["PlaybackMetricsClient", "PlaybackMetricsAVFoundation"],
        "Platform": [],
        "Gzip": ["CZlib"],
        "SQLite": ["CSQLite"],
        "ClickHouse": ["Gzip", "Platform"],
        "PlaybackEvents": ["Platform"],
        "PlayFolding": ["PlaybackEvents"],
        "Archive": ["PlaybackEvents", "Gzip", "Platform"],
        "Suggestions": [],
        "Reports": ["Suggestions", "Platform"],
        "PlayStore": ["PlaybackEvents", "Archive", "Reports", "SQLite", "Platform"],
        "PlayStoreClickHouse": ["PlayStore", "ClickHouse", "PlaybackEvents", "Archive", "Reports", "SQLite"],
        "HTTPServing": ["Platform"],
        "Ingest": [
            "PlaybackEvents", "PlayFolding", "Archive", "PlayStore", "PlayStoreClickHouse", "Reports", "HTTPServing",
            "Gzip", "Platform",
        ],
        "CommandLineTool": ["Suggestions", "Platform"],
        "qoe": [
            "Ingest", "PlayStore", "PlayStoreClickHouse", "Reports", "Archive", "PlaybackEvents", "HTTPServing",
            "SQLite", "ClickHouse", "CommandLineTool", "Platform", "CMalloc", "CBuild",
        ],
        "PlaybackSimulation": ["PlaybackMetricsClient"],
        "qoe-simulate": ["PlaybackSimulation", "PlaybackMetricsClient", "CommandLineTool", "Platform"],
        "qoe-benchmarks": [
            "PlaybackMetricsClient", "PlaybackEvents", "PlayFolding", "Archive", "PlayStore", "Reports", "Ingest",
            "Gzip",
            "SQLite", "HTTPServing", "CommandLineTool", "Platform", "CMalloc",
        ],
    ]

    @Test("imports along the arrows of the architecture, and nothing but the toolchain's modules beside")
    func imports() throws {
        let ours = Set(Self.arrows.keys).union(["CZlib", "CSQLite", "CMalloc", "CBuild"])
        let toolchain: Set = [
            "Foundation", "FoundationNetworking", "Dispatch", "Glibc", "Darwin", "Synchronization", "UIKit",
            "AVFoundation", "Network", "AVKit", "Observation", "SwiftUI", "PackageDescription", "os",
        ]
        for file in try SourceTree.files(below: ["Sources"], suffix: ".swift") {
            let allowed = try #require(Self.arrows[file.target], "\(file.target) has no arrows in this test")
            for module in file.imports {
                if ours.contains(module) {
                    #expect(allowed.contains(module), "\(file.path) imports \(module)")
                } else {
                    #expect(toolchain.contains(module), "\(file.path) imports \(module)")
                }
            }
        }
    }

    @Test("keeps every file short enough to read at once")
    func length() throws {
        for file in try SourceTree.swiftFiles() {
            #expect(file.lines.count <= 401, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test("keeps every folder of Swift files small enough to take in, with sub-folders beyond that")
    func folders() throws {
        let folders = Dictionary(grouping: try SourceTree.swiftFiles()) { file in
            file.path.split(separator: "/").dropLast().joined(separator: "/")
        }
        for (folder, files) in folders { #expect(files.count <= 12, "\(folder) has \(files.count) files") }
    }

    @Test("names every file of the sources after what it declares")
    func names() throws {
        let unnamed = ["main.swift", "Package.swift"]
        for file in try SourceTree.files(below: ["Sources"], suffix: ".swift") where !unnamed.contains(file.name) {
            let name = file.name.dropLast(".swift".count).prefix { $0 != "+" }
            let declares = ["struct", "class", "enum", "actor", "protocol", "extension", "typealias"].contains {
                keyword in
                file.text.contains("\(keyword) \(name)")
            }
            #expect(declares || file.imports.contains(String(name)), "\(file.path) declares no \(name)")
        }
    }

    @Test("writes a command's results in the one way that notices when they are lost")
    func results() throws {
        for file in try SourceTree.files(below: ["Sources/qoe", "Sources/qoe-simulate"], suffix: ".swift") {
            #expect(!file.text.contains(/\bprint\(/), "\(file.path) prints")
        }
    }

    @Test("tells what every target of the Makefile is for")
    func targets() throws {
        let help = try BuiltProgram.run("make", ["-s", "-C", Checkout.root.path, "--no-print-directory", "help"])
        let lines = help.output.split(separator: "\n")
        #expect(lines.count > 5)
        for line in lines { #expect(line.contains(/^make [a-z-]+ +[A-Z].+\.$/), "\(line)") }
    }

    @Test("holds no unfinished work")
    func marks() throws {
        let marks = ["TO" + "DO", "FIX" + "ME", "not " + "implemented"]
        for file in try SourceTree.swiftFiles() {
            for mark in marks { #expect(!file.text.contains(mark), "\(file.path) says \(mark)") }
        }
    }
}

/// The Swift files of this checkout.
enum SourceTree {
    struct File {
        /// From the checkout's root, such as `Sources/qoe/main.swift`.
        let path: String
        let text: String
        /// The folder below `Sources` or `Tests`.
        var target: String {
            let parts = path.split(separator: "/")
            return String(parts[1])
        }
        var name: String { String(path.split(separator: "/").last ?? "") }
        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        /// The modules that the file imports.
        var imports: [String] {
            lines.compactMap { line in
                var words = line.split(separator: " ").map(String.init)
                words.removeAll { ["package", "internal", "public", "private", "@testable"].contains($0) }
                return words.first == "import" && words.count == 2 ? words[1] : nil
            }
        }
    }

    /// Every file whose name ends so, below the named folders.
    static func files(below folders: [String], suffix: String) throws -> [File] {
        try folders.flatMap { folder in
            let root = Checkout.root.appendingPathComponent(folder)
            let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            return try names.filter { $0.hasSuffix(suffix) }.sorted().map { name in
                File(
                    path: "\(folder)/\(name)",
                    text: try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8))
            }
        }
    }

    static func swiftFiles() throws -> [File] {
        try files(below: ["Sources", "Tests"], suffix: ".swift")
    }
}
