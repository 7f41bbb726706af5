import Foundation
import TestSupport

/// The Swift code that a page of documentation shows, as one function that the compiler can check.
struct DocumentedCode {
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
