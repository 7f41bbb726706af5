import Archive
import TestSupport
import Testing

@Suite("Pruning")
struct LogPrunerTests {
    let fixture: LogFixture

    /// Files 1–5 of the 28th, 29th, 28th again, 30th, 1st.
    init() throws {
        fixture = try LogFixture()
        try fixture.withCommitter { committer in
            for (index, day) in [-2, -1, -2, 0, 1].enumerated() {
                let time = LogFixture.noon + Int64(day) * LogFixture.dayMs
                try committer.commit(LogFixture.play("\(index + 1)", at: time))
            }
        }
    }

    private func prune(_ day: String, readUpTo segment: Int64 = 99) throws -> LogPruner.Removed {
        let position = LogPosition(segment: segment, offset: 0)
        let directory = try fixture.directory()
        return try LogPruner(directory).prune(.plays, before: #require(UTCDay(day)), readUpTo: position)
    }

    @Test("removes the files of older days, and their folders when nothing is left in them")
    func older() throws {
        let length = Int64(LogFixture.member(["1"]).count)
        #expect(try prune("2026-11-30") == LogPruner.Removed(files: 3, bytes: 3 * length))
        #expect(try fixture.follow().texts == ["4", "5"])
        #expect(try SegmentList(directory: fixture.paths.archive, kind: .plays).strangers == [])
        #expect(try DataPaths(fixture.folder.path("data")).damagedFiles() == [])
        #expect(try prune("2026-11-30") == LogPruner.Removed())
    }

    @Test("removes old files wherever they stand in the log, and what it removed is not missing")
    func anywhere() throws {
        #expect(try prune("2026-11-29").files == 2)
        #expect(try fixture.follow().texts == ["2", "4", "5"])
        #expect(try ArchiveVerifier(fixture.paths).verify().findings == [])
        let log = try #require(try Manifest.read(fixture.paths))[.plays]
        #expect(log.files.values.filter { $0.removedLines == 1 }.map(\.name.sequence).sorted() == [1, 3])
        #expect(log.removedLines == 2)
    }

    @Test("leaves a log of four thousand days that was written from its end with the days that stay")
    func newestFirst() throws {
        let fixture = try LogFixture()
        try fixture.withCommitter { committer in
            for day in 0..<4_000 {
                try committer.commit(LogFixture.play("\(day)", at: LogFixture.noon - Int64(day) * LogFixture.dayMs))
            }
        }
        let directory = try fixture.directory()
        let day = UTCDay(holding: LogFixture.noon - 9 * LogFixture.dayMs)
        let removed = try LogPruner(directory).prune(
            .plays, before: day, readUpTo: LogPosition(segment: 4_000, offset: 1))
        // The last file of the log stays, though it is of the first day.
        #expect(removed.files == 4_000 - 10 - 1)
        #expect(try fixture.follow().texts == (0..<10).map(String.init) + ["3999"])
        #expect(try Inventory(fixture.paths).findings == [])
    }

    @Test("touches nothing that a follower has not read", arguments: [(0, 5), (1, 5), (2, 4), (3, 3), (99, 1)])
    func unread(segment: Int64, left: Int) throws {
        _ = try prune("2027-01-01", readUpTo: segment)
        #expect(try fixture.follow().texts.count == left)
    }

    @Test("keeps the last file, so that the count goes on")
    func last() throws {
        #expect(try prune("2027-01-01").files == 4)
        try fixture.commit(["6"])
        #expect(
            try fixture.files() == [
                "day=2026-12-01/plays-main-0000000005.ndjson.gz", "day=2026-11-30/plays-main-0000000006.ndjson.gz",
            ])
        #expect(try fixture.follow(from: LogPosition(segment: 2, offset: 3)).texts == ["5", "6"])
    }

    @Test("has nothing to do in an empty log")
    func empty() throws {
        let day = try #require(UTCDay("2027-01-01"))
        let directory = try fixture.directory()
        #expect(try LogPruner(directory).prune(.rejected, before: day, readUpTo: .beginning).files == 0)
    }
}
