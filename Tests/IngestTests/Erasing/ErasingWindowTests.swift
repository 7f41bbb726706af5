import Archive
import Foundation
import Ingest
import PlaybackEvents
import PlayStore
import SQLite
import TestSupport
import Testing

@Suite("Between the rows and the files of somebody who is being erased")
struct ErasingWindowTests {
    private let data: DataFolder
    private static let target = ErasureTarget.session(Array("viewer".utf8))
    private static let mine = [SampleBatch.newId(), SampleBatch.newId()]

    init() throws {
        data = try DataFolder()
    }

    private static let body = SampleBatch.body(
        mine.map { SampleBatch.event($0, #""sessionId":"viewer","cdn":"only-mine""#) }
            + [SampleBatch.event(SampleBatch.newId(), #""sessionId":"other""#)])

    /// What a server does with a request while the store has lost the rows and the files still have the lines.
    private func resend(_ keeper: DataKeeper, _ number: UInt64) throws -> Int {
        let file = data.folder.path("resent-\(number)")
        try (Self.body + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        return try keeper.erased.taking { tombstones in
            let importer = Importer(
                committer: keeper.committer, receivedAt: DataFolder.morning + Int64(number) * 1_000,
                tombstones: tombstones, now: { DataFolder.morning }
            ) { _, reason in Issue.record("\(reason)") }
            try importer.load(file) { _, _ in }
            try keeper.follower.followToEnd()
            return importer.counts.erased
        }
    }

    private func plays() throws -> [[String]] {
        try data.rows("SELECT session_id, count(*) FROM plays GROUP BY session_id ORDER BY 1")
    }

    @Test("a resend brings nobody back, neither then nor with a database that is made anew")
    func resent() throws {
        try data.receive(Self.body, .number(1))
        var looks = 0
        try data.open { keeper in
            try keeper.follower.followToEnd()
            func lookBetween() throws {
                #expect(try resend(keeper, 1) == 2)
                #expect(try plays() == [["other", "1"]])
                // The archive still has the lines that came first.
                #expect(try !FolderSearch.files(of: data.paths.archive, with: [Self.mine[0]]).isEmpty)
                looks += 1
            }
            let eraser = DataEraser(keeper, beforeReplacing: lookBetween)
            try eraser.run(EraseFolder.Request(Self.target))
            #expect(try resend(keeper, 2) == 2)
        }
        #expect(looks == 1)
        #expect(try plays() == [["other", "1"]])
        #expect(try FolderSearch.files(of: data.paths.root, with: Self.mine + ["only-mine"]) == [])
        #expect(try DataVerifier(data.paths, sleep: { _ in }).verify().findings == [])
        try data.rebuild()
        #expect(try plays() == [["other", "1"]])
    }

    @Test("whoever verifies is told so first, also when it began and ended meanwhile; and is told nothing afterwards")
    func verified() throws {
        try data.receive(Self.body, .number(1))
        func isErasing(_ findings: [String]) -> Bool {
            findings.first?.hasPrefix("somebody is being erased") == true
        }
        try data.open { keeper in
            try keeper.follower.followToEnd()
            func verifyBetween() throws {
                let findings = try DataVerifier(data.paths, sleep: { _ in }).verify().findings
                #expect(findings.count == 1 && isErasing(findings), "\(findings)")
            }
            try DataEraser(keeper, beforeReplacing: verifyBetween).run(EraseFolder.Request(Self.target))
            // Another erasure begins when the verifier has looked whether there is one, and ends before it has found a fault.
            let store = StubbedStore(verify: { _, paths in
                try DataEraser(keeper).run(EraseFolder.Request(.session(Array("other".utf8))))
                throw SQLiteStoreError.unreadable(
                    path: paths.database, SQLiteError(code: 11, message: "malformed", statement: ""))
            })
            let findings = try DataVerifier(data.paths, store: store, sleep: { _ in }).verify().findings
            #expect(findings.count == 2 && isErasing(findings), "\(findings)")
            #expect(try DataVerifier(data.paths, sleep: { _ in }).verify().findings == [])
        }
    }
}
