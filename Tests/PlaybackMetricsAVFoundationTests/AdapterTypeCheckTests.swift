import Foundation
import TestSupport
import Testing

/// The adapter's code for Apple's systems is not built here: the compiler checks it against stand-ins for their modules.
@Suite("The adapter's code for Apple's systems", .timeLimit(.minutes(3)))
struct AdapterTypeCheckTests {
    private let folder: TemporaryFolder
    private let features = [
        "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny",
        "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility",
        "-parse-as-library",
    ]

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("fits the interfaces that Apple documents, without a warning")
    func typeChecks() throws {
        let client = try sources(in: "Sources/PlaybackMetricsClient")
        try compile(client, as: "PlaybackMetricsClient", emitting: true)
        for module in ["AVFoundation", "UIKit", "Network"] {
            let stub = Checkout.root.appendingPathComponent(
                "Tests/PlaybackMetricsAVFoundationTests/Stubs/\(module).swift")
            try compile([stub.path], as: module, emitting: true)
        }
        try compile(
            sources(in: "Sources/PlaybackMetricsAVFoundation"), as: "PlaybackMetricsAVFoundation", emitting: false)
    }

    private func compile(_ files: [String], as module: String, emitting: Bool) throws {
        let product =
            emitting
            ? ["-emit-module", "-whole-module-optimization", "-emit-module-path", folder.path("\(module).swiftmodule")]
            : ["-typecheck", "-whole-module-optimization", "-warnings-as-errors"]
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc", "-module-name", module, "-I", folder.path] + product + features + files
        process.standardError = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
    }

    private func sources(in path: String) throws -> [String] {
        let root = Checkout.root.appendingPathComponent(path)
        let names = try #require(FileManager.default.enumerator(atPath: root.path))
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map {
            root.appendingPathComponent($0).path
        }
    }
}
