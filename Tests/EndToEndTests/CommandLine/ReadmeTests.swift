import Foundation
import Testing
import TestSupport

@Suite("The README")
struct ReadmeTests {
    /// Every line of a page or script that posts with curl, its continuations joined.
    private func posts(in file: String) throws -> [String] {
        try String(contentsOf: Checkout.root.appendingPathComponent(file), encoding: .utf8)
            .replacing("\\\n", with: " ").split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix("curl -i http://127.0.0.1:8080/") }
    }

    @Test("posts a play that is taken, and so does what the demo says to try", arguments: ["README.md", ".make/demo"])
    func curl(file: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.path("data"))
        let posts = try posts(in: file)
        #expect(!posts.isEmpty)
        for post in posts {
            let command = post.replacing("127.0.0.1:8080", with: "127.0.0.1:\(server.port)")
            let result = try BuiltProgram.run("sh", ["-c", "cd '\(Checkout.root.path)' && \(command)"])
            #expect(result.output.contains("202 Accepted"), "\(post): \(result.output)")
            #expect(result.output.contains(#"{"accepted":1,"rejected":[]}"#))
        }
    }

    @Test("shows the table as the program prints it")
    func picture() throws {
        let folder = try TemporaryFolder()
        let qoe = BuiltProgram("qoe")
        let sample = Checkout.root.appendingPathComponent("sample-data/two-days.ndjson.gz").path
        #expect(try qoe.run(["load", "--any-time", "--data", folder.path("data"), sample]).status == 0)
        let printed = try qoe.run(["report", "--data", folder.path("data")]).output.split(separator: "\n")
        let readme = try String(contentsOf: Checkout.root.appendingPathComponent("README.md"), encoding: .utf8)
        // The demo's live plays add rows and change figures, but neither columns nor what is said about them.
        for start in ["CDN region", "± is", "computed over sessions"] {
            let line = try #require(printed.first { $0.hasPrefix(start) })
            #expect(narrowed(readme).contains("\n\(narrowed(String(line)))\n"))
        }
        #expect(readme.contains("plays of downloads left out: no CDN served them."))
    }

    /// Columns are as wide as their figures.
    private func narrowed(_ text: String) -> String { text.replacing(#/\x20+/#, with: " ") }

    @Test("names only commands, options and files that there are")
    func commands() throws {
        let readme = try String(contentsOf: Checkout.root.appendingPathComponent("README.md"), encoding: .utf8)
        let lines = readme.split(separator: "\n").filter { $0.contains(#/^(\.build/release/)?qoe(-simulate)? .*--/#) }
        #expect(lines.count >= 5)
        for line in lines.flatMap({ $0.split(separator: " && ") }) {
            let words = line.prefix { $0 != "#" && $0 != "|" }.split(separator: " ").map(String.init)
            let name = String(words[0].split(separator: "/").last ?? "")
            let command = name == "qoe" ? [words[1]] : []
            let help = try BuiltProgram(name).run(command + ["--help"])
            #expect(help.status == 0, "\(line)")
            for word in words where word.hasPrefix("--") { #expect(help.output.contains("  \(word)"), "\(line)") }
        }
        // Headings that links name are looked for with all other links.
        for link in readme.matches(of: /\]\(([^):#]+)(#[^)]*)?\)/) {
            let path = Checkout.root.appendingPathComponent(String(link.output.1)).path
            #expect(FileManager.default.fileExists(atPath: path), "\(link.output.1)")
        }
    }
}
