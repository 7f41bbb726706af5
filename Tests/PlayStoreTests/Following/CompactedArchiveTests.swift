import Archive
import Foundation
import PlayStore
import StoreTestSupport
import TestSupport
import Testing

@Suite("A compacted archive")
struct CompactedArchiveTests {
    private static let day = 24 * StoreFixture.hour

    /// Compacts all files of a fixture that may be.
    private func compact(_ fixture: StoreFixture) throws -> Int {
        let compactor = LogCompactor(fixture.directory, freeBytes: { _ in nil })
        let files = try compactor.candidates(
            .plays, before: UTCDay(holding: StoreFixture.halfPastTen + 30 * Self.day),
            readUpTo: LogPosition(segment: 99, offset: 0))
        for file in files {
            guard case .compacted = try compactor.compact(file) else {
                Issue.record("\(file) was not compacted")
                continue
            }
        }
        return files.count
    }

    private func receive(_ fixture: StoreFixture, _ number: Int, day: Int64) throws {
        // Without identifiers a play that is read twice would be two.
        let sender = #""sender":{"senderId":"p","sequence":\#(number + 1),"made":2,"dropped":0,"rejected":0}"#
        try fixture.receive(
            #"{\#(sender),"events":[\#(event()),\#(event(#""cdn":"c\#(number)""#)),{}]}"#,
            at: StoreFixture.halfPastTen + day * Self.day + Int64(number))
    }

    /// The database as it was, in the place of the one that is there.
    private func restore(_ copy: String, _ fixture: StoreFixture) throws {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: fixture.data.database + ending)
        }
        try FileManager.default.copyItem(atPath: copy, toPath: fixture.data.database)
    }

    @Test(
        "lets a database that was copied before go on exactly where it was, in the middle of a file that was compacted")
    func restored() throws {
        let fixture = try StoreFixture()
        var copies: [String] = []
        for number in 0..<30 {
            try receive(fixture, number, day: 0)
            guard number % 4 == 1 else { continue }
            try fixture.load()
            let copy = fixture.folder.path("copy\(number)")
            try fixture.write("VACUUM INTO '\(copy)'")
            copies.append(copy)
        }
        for day in 1...3 { try receive(fixture, 100 + day, day: Int64(day)) }
        try fixture.load()
        let whole = try fixture.dump()
        #expect(try compact(fixture) == 2)
        for copy in copies {
            try restore(copy, fixture)
            // Also what stands before the place is held against the archive.
            #expect(try StoreVerifier.run(data: fixture.data).findings == [])
            #expect(try fixture.load().loaded == 66)
            #expect(try fixture.dump() == whole)
            #expect(try StoreVerifier.run(data: fixture.data).findings == [])
        }
        try StoreRebuild.run(data: fixture.data)
        #expect(try fixture.dump() == whole)
    }

    @Test("gives the same database when it is made anew")
    func rebuilt() throws {
        let fixture = try StoreFixture()
        for number in 0..<40 { try receive(fixture, number, day: Int64(number / 10)) }
        try fixture.load()
        let whole = try fixture.dump()
        #expect(try compact(fixture) == 2)
        try StoreRebuild.run(data: fixture.data)
        #expect(try fixture.dump() == whole)
    }
}
