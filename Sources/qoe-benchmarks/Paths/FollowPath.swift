internal import Archive
internal import Foundation
internal import PlayStore

/// Loading an archive into the embedded database, with identifiers at random and some plays days late.
enum FollowPath {
    /// - Parameters:
    ///   - folder: where the data directory is made; it stays.
    ///   - plays: how many.
    static func measure(in folder: String, plays: Int, into table: inout ResultTable) throws {
        let directory = try DataDirectory(folder)
        let store = try SQLiteStore(data: directory.paths)
        let plays = try write(plays: plays, to: directory)
        let follower = Follower(store: store, data: directory.paths)
        var marks: [(plays: Double, seconds: Double)] = []
        let start = MonotonicTime.now
        let processor = MonotonicTime.ofProcess
        try follower.followToEnd { status in
            marks.append((Double(status.totals.loaded), Double(MonotonicTime.now - start) / 1e9))
        }
        let seconds = Double(MonotonicTime.now - start) / 1e9
        try FollowCheck.require(follower.status.totals.loaded == Int64(plays), "the store does not hold every play")
        follower.stop()
        let rate = Double(plays) / seconds
        let cost = Double(MonotonicTime.ofProcess - processor) / Double(plays) / 1e3
        table.add(
            "follow \(figure(Double(plays))) plays", "\(figure(rate)) plays/s; \(figure(cost)) µs of a processor each",
            rate, atLeast: 400_000,
            "≥ 400,000 plays/s, idle machine")
        if plays >= 2_000_000 {
            let million = 1_000_000.0
            let first = Self.rate(marks, from: 0, to: million)
            let last = Self.rate(marks, from: Double(plays) - million, to: Double(plays))
            table.add(
                "the last million against the first", "\(figure(last / first)) ×", last / first, atLeast: 0.85, "≥ 0.85"
            )
        }
        let size = try FileManager.default.attributesOfItem(atPath: directory.paths.database)[.size] as? Int ?? 0
        let bytes = Double(size) / Double(plays)
        table.add("database", "\(figure(bytes)) bytes a play", bytes, atMost: 100, "≤ 100 bytes a play")
    }

    /// - Returns: how many there are, which may be a few more.
    static func write(plays: Int, to directory: DataDirectory) throws -> Int {
        let committer = try Committer(directory: directory)
        defer { committer.stop() }
        var log = SampleLog(events: min(50, plays))
        while log.plays < plays {
            var lines: [UInt8] = []
            var receivedAt: Int64 = 0
            let day = log.plays / 1_000_000
            while log.plays < plays, lines.count < 1 << 20, log.plays / 1_000_000 == day {
                receivedAt = try log.appendLines(to: &lines)
            }
            try committer.commit(LogLines(plays: lines, receivedAt: receivedAt))
        }
        return log.plays
    }

    private static func rate(_ marks: [(plays: Double, seconds: Double)], from first: Double, to last: Double) -> Double
    {
        guard let begin = marks.last(where: { $0.plays <= first }) ?? Optional((plays: 0, seconds: 0)),
            let end = marks.first(where: { $0.plays >= last })
        else { return 0 }
        return (end.plays - begin.plays) / (end.seconds - begin.seconds)
    }
}

/// What a measurement needs to be true, so that it measures what it says.
enum FollowCheck {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func require(_ condition: Bool, _ reason: String) throws {
        if !condition { throw Failure(description: reason) }
    }
}
