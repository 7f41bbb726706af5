import Archive
import Foundation
import PlayStore
import SQLite
import StoreTestSupport
import Testing

@Suite("A rebuild")
struct RebuildTests {
    /// Requests of every kind, loaded a few at a time.
    private func fill(_ fixture: StoreFixture) throws {
        let ids = (0..<40).map { "01930000-0000-4000-8000-0000000000\(10 + $0)" }
        for round in 0..<30 {
            let received = StoreFixture.halfPastTen + Int64(round) * 41 * StoreFixture.minute
            let events = (0..<9).map { index -> String in
                let id = ids[(round * 7 + index * 3) % ids.count]
                switch (round + index) % 5 {
                case 0: return event(#""cdn":"c\#(round % 3)""#)
                case 1: return event(id: id, #""ageMs":\#(index * 1_000_000),"sessionId":"s\#(round)""#)
                case 2: return event(id: id, #""endedAt":\#(received - Int64(index) * 600_000)"#)
                case 3: return event(id: id, #""endedAt":\#(received + 7_200_000),"tags":{"a":"\#(index)"}"#)
                default: return index == 8 ? "{}" : event(id: id)
                }
            }
            let sender = #""senderId":"p\#(round % 2)","sequence":\#(round),"made":\#(round),"dropped":0,"rejected":0"#
            try fixture.receive(
                #"{"sender":{\#(sender)},"events":[\#(events.joined(separator: ","))]}"#, at: received,
                region: round % 4 == 0 ? "eu" : nil)
            if round % 7 == 0 { try fixture.append("no line of ours\n", at: received) }
            if round % 11 == 3 { try fixture.load() }
        }
        try fixture.load()
    }

    @Test("gives the same to every reader, whatever the commits were")
    func equality() throws {
        let fixture = try StoreFixture()
        try fill(fixture)
        let before = try fixture.dump()
        #expect(try fixture.integer("SELECT count(*) FROM plays") > 60)
        #expect(try fixture.integer("SELECT sum(conflicts) FROM repeats") > 0)
        #expect(try fixture.integer("SELECT count(*) FROM rejections") > 0)

        var following = FollowerConfiguration()
        following.batchRows = 7
        following.chunkBytes = 1
        var commits = 0
        let totals = try StoreRebuild.run(data: fixture.data, follower: following) { _ in commits += 1 }
        #expect(commits > 5)
        #expect(try fixture.dump() == before)
        #expect(totals.arrivals == (try fixture.integer("SELECT arrivals FROM totals")))

        var small = StoreConfiguration()
        small.dictionaryBytes = 0
        try StoreRebuild.run(data: fixture.data, store: small)
        #expect(try fixture.dump() == before)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
    }

    @Test("that fails leaves the old database as it was, and nothing beside it")
    func failure() throws {
        let fixture = try StoreFixture()
        try fill(fixture)
        let before = try fixture.dump()
        struct Full: Error {}
        var following = FollowerConfiguration()
        following.quarantine = { _ in throw Full() }
        #expect(throws: Full.self) { try StoreRebuild.run(data: fixture.data, follower: following) }
        #expect(try fixture.dump() == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.data.root)
        #expect(!names.contains { $0.contains("rebuilt") })
    }
}
