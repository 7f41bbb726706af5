import Foundation
import TestSupport

/// One page of the documentation.
struct Article {
    /// From the checkout's root.
    static let catalogue = "Sources/qoe/qoe.docc"

    /// Without `.md`.
    let name: String
    let lines: [Substring]

    init(_ name: String) throws {
        try self.init(path: "\(Self.catalogue)/\(name).md")
    }

    /// - Parameter path: from the checkout's root.
    init(path: String) throws {
        let file = Checkout.root.appendingPathComponent(path)
        let name = file.deletingPathExtension().lastPathComponent
        self.init(name, text: try String(contentsOf: file, encoding: .utf8)[...])
    }

    private init(_ name: String, text: Substring) {
        self.name = name
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// What stands in backticks, outside blocks of code.
    var codes: Set<String> {
        var isBlock = false
        var codes: Set<String> = []
        for line in lines {
            if line.hasPrefix("```") {
                isBlock.toggle()
            } else if !isBlock {
                let parts = line.replacing("\\|", with: "|").split(separator: "`", omittingEmptySubsequences: false)
                for part in stride(from: 1, to: parts.count, by: 2) { codes.insert(String(parts[part])) }
            }
        }
        return codes
    }

    /// The blocks of code of a language.
    func blocks(_ language: String) -> [String] {
        var blocks: [String] = []
        var isOpen = false
        for line in lines {
            if line == "```\(language)" {
                isOpen = true
                blocks.append("")
            } else if line == "```" {
                isOpen = false
            } else if isOpen {
                blocks[blocks.count - 1] += line + "\n"
            }
        }
        return blocks
    }

    /// The headings of the second and third level, each with what stands below it.
    var sections: [(heading: String, article: Article)] {
        let starts = lines.indices.filter { lines[$0].hasPrefix("## ") || lines[$0].hasPrefix("### ") }
        return starts.enumerated().map { position, start in
            let end = position + 1 < starts.count ? starts[position + 1] : lines.endIndex
            let heading = lines[start].drop { $0 == "#" }.dropFirst()
            return (String(heading), Article(name, text: lines[start + 1..<end].joined(separator: "\n")[...]))
        }
    }

    func section(_ heading: String) -> Article? {
        sections.first { $0.heading == heading }?.article
    }

    /// The rows of its tables without their heads, each a list of cells.
    var rows: [[String]] {
        lines.indices.compactMap { position in
            let line = lines[position]
            let isHead = position + 1 < lines.endIndex && lines[position + 1].hasPrefix("| ---")
            guard line.hasPrefix("| "), !line.hasPrefix("| ---"), !isHead else { return nil }
            let cells = line.replacing("\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
            return cells.dropFirst().dropLast().map {
                $0.trimmingCharacters(in: .whitespaces).replacing("\u{1}", with: "|")
            }
        }
    }
}
