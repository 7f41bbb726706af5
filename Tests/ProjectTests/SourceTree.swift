import Foundation
import TestSupport

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
