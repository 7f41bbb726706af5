import Archive
import TestSupport
import Testing

@Suite("The committer")
struct CommitterTests {
    @Test("gives back what was committed, in order and once, also after a restart")
    func readsBack() throws {
        let folder = try TemporaryFolder()
        let paths = DataPaths(folder.path("data"))
        for round in 0..<3 {
            let committer = try Committer(directory: DataDirectory(paths.root))
            defer { committer.stop() }
            for index in 0..<10 {
                let line = Array("{\"round\":\(round),\"index\":\(index)}\n".utf8)
                try committer.commit(LogLines(plays: line, receivedAt: 1_764_460_800_000))
            }
        }
        let reader = LogReader(directory: paths.archive)
        var place = LogPlace.beginning
        var lines: [UInt8] = []
        while let chunk = try reader.next(after: place, maxBytes: 100) {
            lines += chunk.lines
            place = chunk.end
        }
        let expected = (0..<3).flatMap { round in (0..<10).map { "{\"round\":\(round),\"index\":\($0)}\n" } }
        #expect(String(decoding: lines, as: UTF8.self) == expected.joined())
    }
}
