import Archive
import Foundation
import TestSupport
import Testing

@Suite("When names vanish under the committer, it")
struct GoneFileTests {
    let fixture: LogFixture
    let notices = Notices()
    let configuration: CommitterConfiguration

    init() throws {
        fixture = try LogFixture()
        var configuration = LogFixture.unsynced
        configuration.onNotice = notices.add
        self.configuration = configuration
    }

    /// What somebody does to the open file, or to a folder above it.
    enum Mishap: CaseIterable {
        case fileRemoved, fileRenamed, fileReplaced, dayRemoved, dayRenamed
    }

    private func happen(_ mishap: Mishap, to kind: LogKind) throws {
        let files = FileManager.default
        let file = fixture.paths.log(kind) + "/" + (try #require(fixture.files(kind).last))
        let day = (file as NSString).deletingLastPathComponent
        switch mishap {
        case .fileRemoved: try files.removeItem(atPath: file)
        case .fileRenamed: try files.moveItem(atPath: file, toPath: fixture.folder.path("moved"))
        case .fileReplaced:
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            try files.removeItem(atPath: file)
            try bytes.write(to: URL(fileURLWithPath: file))
        case .dayRemoved: try files.removeItem(atPath: day)
        case .dayRenamed: try files.moveItem(atPath: day, toPath: fixture.folder.path("moved"))
        }
    }

    private func lines(_ text: String, _ kind: LogKind) -> LogLines {
        switch kind {
        case .plays: LogFixture.play(text)
        case .rejected: LogFixture.rejection(text)
        case .reports: LogFixture.report(text)
        }
    }

    @Test(
        "acknowledges nothing that goes into a file without a name, and goes on in a new one",
        arguments: Mishap.allCases, LogKind.allCases)
    func newFile(mishap: Mishap, kind: LogKind) throws {
        try fixture.withCommitter(configuration) { committer in
            try committer.commit(lines("a", kind))
            let first = try #require(fixture.files(kind).last)
            try happen(mishap, to: kind)
            try committer.commit(lines("b", kind))
            try committer.commit(lines("c", kind))
            let kept = try fixture.inflated(kind)
            #expect(kept == (mishap == .fileReplaced ? ["a", "b", "c"] : ["b", "c"]))
            #expect(notices.all == [.fileGone(file: "\(kind.folder)/\(first)")])
            #expect(committer.end(of: kind).segment == 2)
        }
        let findings = try Inventory(fixture.paths).findings.map { "\($0)" }
        #expect(findings.count == (mishap == .fileReplaced ? 0 : 1))
        #expect(findings.allSatisfy { $0.hasSuffix("0000000001.ndjson.gz is missing") })
    }

    @Test("has in a file that comes back what was acknowledged, and nothing twice")
    func backAgain() throws {
        try fixture.withCommitter(configuration) { committer in
            try committer.commit(LogFixture.play("a"))
            let first = fixture.paths.archive + "/" + (try #require(fixture.files().last))
            try FileManager.default.moveItem(atPath: first, toPath: fixture.folder.path("moved"))
            try committer.commit(LogFixture.play("b"))
            try FileManager.default.moveItem(atPath: fixture.folder.path("moved"), toPath: first)
            try committer.commit(LogFixture.play("c"))
        }
        #expect(try fixture.inflated() == ["a", "b", "c"])
        #expect(try ArchiveVerifier(fixture.paths).verify().findings == [])
    }

    @Test(
        "acknowledges nothing while the data directory is away, and goes on when it is back", arguments: [false, true])
    func directoryAway(isReplaced: Bool) throws {
        let root = fixture.paths.root
        try fixture.withCommitter(configuration) { committer in
            try committer.commit(LogFixture.play("a"))
            try FileManager.default.moveItem(atPath: root, toPath: fixture.folder.path("moved"))
            if isReplaced { _ = try DataDirectory(root, files: LogFixture.unsynced.files) }
            for _ in 0..<3 { #expect(reason { try committer.commit(LogFixture.play("b")) } == .failed) }
            #expect(!committer.snapshot().lastCommitGood)
            if isReplaced {
                #expect(try fixture.files() == [])
                try FileManager.default.removeItem(atPath: root)
            }
            try FileManager.default.moveItem(atPath: fixture.folder.path("moved"), toPath: root)
            try committer.commit(LogFixture.play("c"))
        }
        #expect(try fixture.inflated() == ["a", "c"])
    }

    @Test("acknowledges nothing when all of the archive is removed")
    func archiveRemoved() throws {
        try fixture.withCommitter(configuration) { committer in
            try committer.commit(LogFixture.play("a"))
            try FileManager.default.removeItem(atPath: fixture.paths.archive)
            for _ in 0..<3 { #expect(reason { try committer.commit(LogFixture.play("b")) } == .failed) }
            // Who makes the folder anew has a log that goes on, and says what it lacks.
            try FileManager.default.createDirectory(atPath: fixture.paths.archive, withIntermediateDirectories: false)
            try committer.commit(LogFixture.play("c"))
        }
        #expect(try fixture.inflated() == ["c"])
        #expect(try Inventory(fixture.paths).findings.count == 1)
    }

    @Test("begins no file where the manifest is another directory's")
    func othersManifest() throws {
        let other = try LogFixture(made: true)
        try fixture.withCommitter(configuration) { committer in
            try committer.commit(LogFixture.play("a"))
            let mine = try Data(contentsOf: URL(fileURLWithPath: fixture.paths.manifest))
            try Data(contentsOf: URL(fileURLWithPath: other.paths.manifest))
                .write(to: URL(fileURLWithPath: fixture.paths.manifest))
            let tomorrow = LogFixture.play("b", at: LogFixture.noon + LogFixture.dayMs)
            #expect(reason { try committer.commit(tomorrow) } == .failed)
            #expect(try fixture.files().count == 1)
            try mine.write(to: URL(fileURLWithPath: fixture.paths.manifest))
            try committer.commit(tomorrow)
        }
        #expect(try fixture.inflated() == ["a", "b"])
    }
}
