import Foundation
import Testing
import TestSupport

@Suite("Links between documents")
struct LinkTests {
    private struct Page {
        /// From the checkout's root.
        let path: String
        /// Outside blocks of code.
        let lines: [Substring]

        init(_ path: String) throws {
            let text = try String(contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
            var isBlock = false
            self.path = path
            lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
                if line.hasPrefix("```") { isBlock.toggle() }
                return !isBlock && !line.hasPrefix("```")
            }
        }

        /// What a forge calls the headings: small letters, words joined by hyphens, no other punctuation.
        var anchors: Set<String> {
            Set(
                lines.filter { $0.hasPrefix("#") }.map { line in
                    let heading = line.drop { $0 == "#" }.dropFirst().lowercased()
                    let kept = heading.unicodeScalars.filter { scalar in
                        let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                        return isWord || "_- ".unicodeScalars.contains(scalar)
                    }
                    return String(String.UnicodeScalarView(kept)).replacing(" ", with: "-")
                })
        }

        /// Where its links lead.
        var targets: [String] {
            lines.joined(separator: "\n").replacing(/`[^`\n]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/)
                .map { String($0.output.1) }
        }
    }

    private func pages() throws -> [Page] {
        let folders = ["Sources", "Queries", "Tests", ".github"]
        let names = try folders.flatMap { try SourceTree.files(below: [$0], suffix: ".md").map(\.path) }
        return try (["README.md", "CHANGELOG.md"] + names).map { try Page($0) }
    }

    @Test("lead to files and headings that are there, read on a forge")
    func forge() throws {
        let pages = try pages()
        let anchors = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0.anchors) })
        var count = 0
        for page in pages {
            for target in page.targets where !target.contains("://") && !target.hasPrefix("mailto:") {
                count += 1
                let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let folder = URL(fileURLWithPath: "/" + page.path).deletingLastPathComponent()
                let path =
                    parts[0].isEmpty
                    ? page.path : String(folder.appendingPathComponent(String(parts[0])).standardized.path.dropFirst())
                let isThere = FileManager.default.fileExists(
                    atPath: Checkout.root.appendingPathComponent(path).path)
                #expect(isThere, "\(page.path) links to \(target)")
                if parts.count == 2 {
                    #expect(anchors[path]?.contains(String(parts[1])) == true, "\(page.path) links to \(target)")
                }
            }
        }
        #expect(count >= 80, "\(count) links")
    }

    /// The client's catalogues are read in Xcode, which gives them to DocC as they are; `.make/docs` translates the server's.
    @Test("are DocC's own only in the catalogues that Xcode reads")
    func docc() throws {
        for page in try pages() {
            let own = page.lines.filter { $0.contains("<doc:") || $0.contains("](doc:") }
            #expect(own.isEmpty || page.path.hasPrefix("Sources/PlaybackMetrics"), "\(page.path): \(own)")
        }
    }
}
