import Archive
import Foundation
import TestSupport
import Testing

@Suite("How far reports were made into plays")
struct FoldPlacesTests {
    private let fixture: LogFixture

    init() throws {
        fixture = try LogFixture(made: true)
    }

    private var places: FoldPlaces {
        var places = FoldPlaces()
        places.from = LogPlace(segment: 3, offset: 17)
        places.written = LogPlace(segment: 4, offset: 1_234)
        places.archive = LogPlace(segment: 9, offset: 0)
        return places
    }

    @Test("is read back as it was written, the last word alone")
    func roundTrip() throws {
        #expect(try FoldPlaces.read(fixture.paths) == nil)
        try FoldPlaces().write(fixture.paths, files: LogFixture.unsynced.files)
        try places.write(fixture.paths, files: LogFixture.unsynced.files)
        #expect(try FoldPlaces.read(fixture.paths) == places)
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
        try places.write(fixture.paths, files: LogFixture.unsynced.files)
        let text = try String(contentsOfFile: fixture.paths.foldPlaces, encoding: .utf8)
        #expect(text.contains(old))
        try text.replacing(old, with: new).write(toFile: fixture.paths.foldPlaces, atomically: false, encoding: .utf8)
        #expect(try FoldPlaces.read(fixture.paths) == nil)
    }
}
