internal import CommandLineTool
internal import Foundation

/// How often the client's `record()` asks the allocator for memory: counted by valgrind, as the difference of two runs.
enum AllocationCount {
    /// Hands over plays, and does nothing else.
    static let command = Command(
        "record", summary: "hands plays to the client library and ends, for tools that watch a process",
        options: [Option("plays", "N", initial: "1000", help: "How many.")])

    private static let valgrind = "/usr/bin/valgrind"

    static func run(_ arguments: Arguments) throws -> ExitCode {
        try RecordPath.record(try arguments.int("plays", in: 0...10_000_000) ?? 1_000)
        return .success
    }

    static func measure(into table: inout ResultTable) throws {
        guard FileManager.default.isExecutableFile(atPath: valgrind) else { return }
        let few = try allocations(plays: 1_000)
        let many = try allocations(plays: 11_000)
        table.add("allocations of record()", "\(figure((many - few) / 10_000)) a play")
    }

    private static func allocations(plays: Int) throws -> Double {
        let folder = try WorkFolder()
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let log = folder.path + "/log"
        _ = try ChildRun(
            valgrind, ["--undef-value-errors=no", "--log-file=\(log)", own, "record", "--plays", String(plays)])
        let words = try String(contentsOfFile: log, encoding: .utf8).split(whereSeparator: \.isWhitespace)
        guard let place = words.firstIndex(of: "usage:"), place + 1 < words.count,
            let count = Double(words[place + 1].filter { $0 != "," })
        else { throw PeerFailure(description: "valgrind counted nothing") }
        return count
    }
}
