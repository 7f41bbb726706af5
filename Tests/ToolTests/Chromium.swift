import Foundation
import Testing
import TestSupport

/// Debian's Chromium without a window, with a profile that goes away.
struct Chromium {
    let folder: TemporaryFolder

    struct Page {
        /// The document as it stands after its scripts.
        var document: String
        /// What the console shows, one text a message.
        var console: [String]
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Loads a file, and files that it shows in frames.
    func load(_ file: String) throws -> Page {
        try load(address: URL(fileURLWithPath: file).absoluteString)
    }

    func load(address: String) throws -> Page {
        let result = try run(["--allow-file-access-from-files", "--virtual-time-budget=5000", "--dump-dom"], address)
        let console = result.errors.split(separator: "\n").filter { $0.contains(":CONSOLE") }
        return Page(document: result.output, console: console.map(String.init))
    }

    /// A file's text as it is, before a browser has seen it.
    func text(_ file: String) throws -> String {
        try String(contentsOfFile: file, encoding: .utf8)
    }

    /// A picture of the page's top.
    ///
    /// - Returns: the PNG file's bytes.
    func screenshot(_ file: String, width: Int, height: Int) throws -> Data {
        let picture = folder.path("\(width).png")
        let address = URL(fileURLWithPath: file).absoluteString
        _ = try run(["--window-size=\(width),\(height)", "--screenshot=\(picture)"], address)
        return try Data(contentsOf: URL(fileURLWithPath: picture))
    }

    private func run(_ words: [String], _ address: String) throws -> BuiltProgram.Result {
        let result = try BuiltProgram.run(
            "timeout",
            [
                "120", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                "--user-data-dir=\(folder.path("profile"))", "--enable-logging=stderr", "--v=0",
            ] + words + [address])
        try #require(result.status == 0, "\(result.errors)")
        return result
    }
}
