import Foundation

/// A program of this package.
package struct BuiltProgram: Sendable {
    package struct Result: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    package let path: String

    /// - Parameter name: a program beside the tests, or in the folder that `QOE_PROGRAMS` names.
    package init(_ name: String) {
        if let folder = ProcessInfo.processInfo.environment["QOE_PROGRAMS"] {
            path = folder + "/" + name
            return
        }
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        path = tests.deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// Runs it to its end.
    package func run(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> Result {
        try Self.run(path, arguments, environment: environment, input: input)
    }

    /// Runs any program to its end, found in PATH when its name holds no slash.
    package static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> Result {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program.contains("/") ? program : "/usr/bin/env")
        process.arguments = program.contains("/") ? arguments : [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        // Files, not pipes: a program that fills a pipe nobody reads would wait for ever.
        let names = ["in", "out", "err"]
        for name in names {
            _ = FileManager.default.createFile(
                atPath: folder.path(name), contents: name == "in" ? Data((input ?? "").utf8) : nil)
        }
        process.standardInput = FileHandle(forReadingAtPath: folder.path("in"))
        process.standardOutput = FileHandle(forWritingAtPath: folder.path("out"))
        process.standardError = FileHandle(forWritingAtPath: folder.path("err"))
        try process.runWithSignals()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path("out"))), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path("err"))), as: UTF8.self))
    }
}
