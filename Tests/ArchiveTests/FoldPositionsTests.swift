import Archive
import Foundation
import TestSupport
import Testing

@Suite("How far reports were made into plays")
struct FoldPositionsTests {
    private let fixture: LogFixture

    init() throws {
        fixture = try LogFixture(made: true)
    }

    private var positions: FoldPositions {
        var positions = FoldPositions()
        positions.from = LogPosition(segment: 3, offset: 17)
        positions.written = LogPosition(segment: 4, offset: 1_234)
        positions.archive = LogPosition(segment: 9, offset: 0)
        return positions
    }

    @Test("is read back as it was written, the last word alone")
    func roundTrip() throws {
        #expect(try FoldPositions.read(fixture.paths) == nil)
        try FoldPositions().write(fixture.paths, files: LogFixture.unsynced.files)
        try positions.write(fixture.paths, files: LogFixture.unsynced.files)
        #expect(try FoldPositions.read(fixture.paths) == positions)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.paths.root).contains("fold.places.new") == false
        )
    }

    @Test(
        "is nothing where the file is cut, changed, or another directory's",
        arguments: [
            ("from 3 17\n", ""), ("from 3", "from -3"), ("written", "wrote"), ("qoe-fold 1 ", "qoe-fold 1 0"),
            ("1234", ""),
        ])
    func strange(old: String, new: String) throws {
        try positions.write(fixture.paths, files: LogFixture.unsynced.files)
        let text = try String(contentsOfFile: fixture.paths.foldPlaces, encoding: .utf8)
        #expect(text.contains(old))
        try text.replacing(old, with: new).write(toFile: fixture.paths.foldPlaces, atomically: false, encoding: .utf8)
        #expect(try FoldPositions.read(fixture.paths) == nil)
    }
}
