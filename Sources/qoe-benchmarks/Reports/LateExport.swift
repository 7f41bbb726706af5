internal import Archive
internal import Foundation

/// `qoe export` again after one play has come late: only its day is to be touched.
enum LateExport {
    static func measure(_ store: GrowingStore, _ tools: PeerTools, into table: inout ResultTable) throws {
        let program = try tools.program("qoe")
        let folder = try WorkFolder(in: tools.workFolder)
        let export = ["export", "--data", store.paths.root, "--output", folder.path + "/csv"]
        let first = try ChildRun(program, export)
        let idle = try ChildRun(program, export)
        // A play of the log's first day, received after all others.
        let receipt = store.lastReceipt + 1_000
        let age = receipt - Int64(SampleLog.beginning) - 3_600_000
        let body = folder.path + "/late.json"
        try """
        {"events":[{"videoId":"late","stalls":0,"stalledMs":0,"watchedMs":20000,"startupMs":300,"ageMs":\(age)}]}
        """.write(toFile: body, atomically: true, encoding: .utf8)
        _ = try ChildRun(program, ["load", "--data", store.paths.root, "--received-at", String(receipt), body])
        let late = try ChildRun(program, export)
        let words = late.output.split(separator: " ")
        guard words.count > 2, let days = Double(words[2]) else {
            throw PeerFailure(description: "export said: \(late.output)")
        }
        table.add(
            "export after one late play",
            "\(figure(days)) of \(words[0]) days computed anew in \(figure(late.seconds)) s"
                + " (all of them: \(figure(first.seconds)) s, none: \(figure(idle.seconds)) s)", days, atMost: 1,
            "one day")
    }
}
