import Foundation
import Gzip
import TestSupport
import Testing

@Suite("The system's gzip")
struct GzipToolTests {
    @Test("reads our members, one or many, byte for byte")
    func readsOurs() throws {
        let folder = try TemporaryFolder()
        let compressor = GzipCompressor(level: 1)
        let parts = [Samples.lines(10), Samples.lines(300_000), Samples.lines(1)]
        let path = folder.path("plays.gz")
        try Data(parts.flatMap { compressor.member($0) }).write(to: URL(fileURLWithPath: path))
        #expect(try run("gzip", ["-t", path]).status == 0)
        let out = try run("zcat", [path])
        #expect(out.status == 0)
        #expect(out.output == Data(parts.flatMap { $0 }))
    }

    @Test("writes what we read, with a name in its head too")
    func writesTheirs() throws {
        let folder = try TemporaryFolder()
        let bytes = Samples.lines(200_000)
        let path = folder.path("body.json")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(try run("gzip", ["-9", path]).status == 0)
        let file = try Data(contentsOf: URL(fileURLWithPath: path + ".gz"))
        #expect(try Gunzip.inflate([UInt8](file), limit: 1 << 20) == bytes)
    }

    private func run(_ tool: String, _ arguments: [String]) throws -> (status: Int32, output: Data) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
