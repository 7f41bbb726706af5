internal import Archive
internal import CommandLineTool
internal import Foundation
internal import Platform
internal import Synchronization

/// What a play takes in the archive, by how many requests come in a second: as it is written, and once its day is compacted.
enum RoomBenchmark {
    static let command = Command(
        "room", summary: "commits requests at several rates, and tells what a play takes before and after compaction",
        options: [
            Option("seconds", "N", initial: "20", help: "How long requests come at each rate, in real time."),
            Option("plays", "N", initial: "200000", help: "How many come at full speed, in requests of 50."),
            Option("work", "DIR", help: "Where the files go; without it, below the folder for temporary files."),
        ])

    /// Requests, and when each comes, in seconds.
    private struct Load {
        var name: String
        var requests: [(lines: LogLines, at: Double)] = []
        var plays = 0
    }

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let seconds = Double(try arguments.int("seconds", in: 1...3_600) ?? 20)
        let plays = try arguments.int("plays", in: 100...100_000_000) ?? 200_000
        var table = ResultTable()
        // At one request a second no two share a commit, however fast they are made to come here.
        var loads = [try small(rate: 72, seconds: seconds, name: "1 request/s of 1–3 plays")]
        for index in loads[0].requests.indices { loads[0].requests[index].at = 0 }
        for rate in [72, 280] {
            loads.append(try small(rate: Double(rate), seconds: seconds, name: "\(rate) requests/s of 1–3 plays"))
        }
        loads.append(try full(plays))
        for (number, load) in loads.enumerated() {
            let folder = try WorkFolder(in: arguments.text("work"))
            let threads = number == 0 ? 1 : 32
            let (before, after, compaction) = try measure(load, threads: threads, folder.path)
            let (one, other) = (Double(before) / Double(load.plays), Double(after) / Double(load.plays))
            let text =
                "\(figure(one)) bytes a play; compacted \(figure(other)), at \(figure(Double(load.plays) / compaction)) plays/s"
            table.add(load.name, text, other, atMost: 110, "≤ 110 bytes")
        }
        print(table.markdown)
        return table.rows.contains { $0.isMet == false } ? .unavailable : .success
    }

    /// Requests of one to three plays, that come as they like.
    private static func small(rate: Double, seconds: Double, name: String) throws -> Load {
        var load = Load(name: name)
        var logs = (1...3).map { SampleLog(events: $0...$0, seed: UInt64($0)) }
        var chance = SeededGenerator(seed: 72)
        var at = 0.0
        while at < seconds {
            let events = Int.random(in: 1...3, using: &chance)
            var lines: [UInt8] = []
            _ = try logs[events - 1].appendLines(to: &lines)
            load.requests.append((LogLines(plays: lines, receivedAt: Int64(SampleLog.beginning)), at))
            load.plays += events
            at -= log(Double.random(in: .leastNonzeroMagnitude..<1, using: &chance)) / rate
        }
        return load
    }

    private static func full(_ plays: Int) throws -> Load {
        var load = Load(name: "full speed, requests of 50")
        var log = SampleLog()
        while load.plays < plays {
            var lines: [UInt8] = []
            _ = try log.appendLines(to: &lines)
            load.requests.append((LogLines(plays: lines, receivedAt: Int64(SampleLog.beginning)), 0))
            load.plays += 50
        }
        return load
    }

    /// - Returns: the bytes of the file before and after, and the seconds that compacting took.
    private static func measure(
        _ load: Load, threads: Int, _ path: String
    ) throws -> (before: Int64, after: Int64, seconds: Double) {
        let directory = try DataDirectory(path + "/data")
        let committer = try Committer(directory: directory)
        let requests = load.requests
        let next = Atomic(0)
        let start = SystemClock.monotonic
        let group = DispatchGroup()
        for _ in 0..<threads {
            group.enter()
            Thread.detachNewThread {
                while true {
                    let index = next.add(1, ordering: .relaxed).oldValue
                    guard index < requests.count else { break }
                    let due = start + UInt64(requests[index].at * 1e9)
                    let now = SystemClock.monotonic
                    if due > now { usleep(UInt32((due - now) / 1_000)) }
                    try? committer.commit(requests[index].lines)
                }
                group.leave()
            }
        }
        group.wait()
        // The newest two files are not compacted.
        for day in 1...2 {
            let receivedAt = Int64(SampleLog.beginning) + Int64(day) * 86_400_000
            try committer.commit(LogLines(plays: Array("{}\n".utf8), receivedAt: receivedAt))
        }
        let end = committer.end(of: .plays)
        committer.stop()
        let compactor = LogCompactor(directory)
        guard
            let segment = try compactor.candidates(.plays, before: UTCDay(number: 100_000), readUpTo: end).first
        else { throw PeerFailure(description: "there is nothing to compact") }
        let begun = SystemClock.monotonic
        guard case .compacted(let before, let after) = try compactor.compact(segment) else {
            throw PeerFailure(description: "\(segment.label) was not compacted")
        }
        return (before, after, Double(SystemClock.monotonic - begun) / 1e9)
    }
}
