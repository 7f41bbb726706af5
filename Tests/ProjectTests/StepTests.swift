import Foundation
import Testing
import TestSupport

@Suite("A step of the Makefile")
struct StepTests {
    private let folder: TemporaryFolder
    private let step: String

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path(".make"), withIntermediateDirectories: true)
        step = folder.path(".make/step")
        try FileManager.default.copyItem(atPath: Checkout.root.path + "/.make/step", toPath: step)
    }

    private func run(_ script: String) throws -> BuiltProgram.Result {
        try BuiltProgram.run(step, ["a name", "sh", "-c", script])
    }

    @Test("is one line with its time where there is no terminal, whatever it says")
    func quiet() throws {
        let result = try run("echo one; echo two >&2; echo '✔ Test run with 3 tests in 1 suite passed after 1 second.'")
        #expect(result.status == 0)
        #expect(result.output.wholeMatch(of: /a name +ok +[0-9]+ s\n/) != nil, "\(result.output)")
        #expect(result.errors.isEmpty)
    }

    @Test("leaves the runner's own counts, without colours, for the end")
    func counts() throws {
        _ = try run("printf '\\033[32m✔\\033[0m Test run with 3 tests in 2 suites passed after 1.5 seconds.\\n'")
        _ = try run("echo '✔ Test run with 4 tests in 1 suite passed after 2.5 seconds.'; echo else")
        let counts = try String(contentsOfFile: folder.path(".build/test-counts"), encoding: .utf8)
        #expect(
            counts == """
                ✔ Test run with 3 tests in 2 suites passed after 1.5 seconds.
                ✔ Test run with 4 tests in 1 suite passed after 2.5 seconds.

                """)
    }

    @Test("that fails says what it said, and ends as it ended")
    func failed() throws {
        let result = try run("echo one; echo two >&2; exit 7")
        #expect(result.status == 7)
        #expect(result.output.wholeMatch(of: /one\ntwo\na name +FAILED +[0-9]+ s\n/) != nil, "\(result.output)")
    }

    @Test("that fails after much output says what failed, and the end of it")
    func digest() throws {
        let result = try run(
            "seq 3000; echo '✘ Test \"x\" recorded an issue at A.swift:1:2: it is wrong'; seq 4000 5000; exit 1")
        #expect(result.status == 1)
        #expect(result.output.contains("it is wrong") && result.output.contains("\n5000\n"))
        #expect(result.output.split(separator: "\n").count < 60)
    }
}
