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
}
