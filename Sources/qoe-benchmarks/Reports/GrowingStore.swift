internal import Archive
internal import Foundation
internal import Platform
internal import PlayStore

/// A data directory whose archive and database grow step by step, with identifiers at random and some plays days late.
final class GrowingStore {
    /// One step of growth.
    struct Step {
        /// Plays that the database got.
        var plays: Int
        /// What the follower took: by the clock, and of processors.
        var seconds: Double
        var processorSeconds: Double
        /// How many plays the database had after so many seconds.
        var marks: [(plays: Double, seconds: Double)]
    }

    let paths: DataPaths
    private var log: SampleLog
    private let folder: String
    private let configuration: StoreConfiguration
    private let commitBytes: Int

    /// - Parameters:
    ///   - folder: where the data directory is made; it stays.
    ///   - log: the requests that come.
    ///   - configuration: of the database.
    ///   - commitBytes: lines of so many bytes make a commit, 1: each request is one of its own.
    init(
        in folder: String, _ log: SampleLog = SampleLog(), configuration: StoreConfiguration = .init(),
        commitBytes: Int = 1 << 20
    ) {
        self.folder = folder
        self.log = log
        self.configuration = configuration
        self.commitBytes = commitBytes
        paths = DataPaths(folder)
    }

    /// Plays in the archive, and in the database after growing.
    var plays: Int { log.plays }

    /// When the last request was received, ms since 1970.
    private(set) var lastReceipt: Int64 = 0

    /// Writes and loads plays until there are so many, or a few more.
    func grow(to plays: Int) throws -> Step {
        let directory = try DataDirectory(folder)
        let store = try SQLiteStore(data: directory.paths, configuration: configuration)
        let before = log.plays
        try write(plays: plays, to: directory)
        let follower = Follower(store: store, data: directory.paths)
        defer { follower.stop() }
        var step = Step(plays: log.plays - before, seconds: 0, processorSeconds: 0, marks: [])
        let start = SystemClock.monotonic
        let processor = SystemClock.ofProcess
        try follower.followToEnd { status in
            step.marks.append((Double(status.totals.loaded), Double(SystemClock.monotonic - start) / 1e9))
        }
        step.seconds = Double(SystemClock.monotonic - start) / 1e9
        step.processorSeconds = Double(SystemClock.ofProcess - processor) / 1e9
        guard follower.status.totals.loaded == Int64(log.plays) else {
            throw PeerFailure(description: "the database does not hold every play")
        }
        return step
    }

    private func write(plays: Int, to directory: DataDirectory) throws {
        var committing = CommitterConfiguration()
        // What a sync takes is no figure of ours, and thousands of small commits would wait for nothing else.
        committing.files.syncData = { _ in 0 }
        let committer = try Committer(directory: directory, configuration: committing)
        defer { committer.stop() }
        while log.plays < plays {
            var lines: [UInt8] = []
            let day = log.plays / log.playsPerDay
            while log.plays < plays, lines.count < commitBytes, log.plays / log.playsPerDay == day {
                lastReceipt = try log.appendLines(to: &lines)
            }
            try committer.commit(LogLines(plays: lines, receivedAt: lastReceipt))
        }
    }

    var databaseBytes: Int {
        get throws {
            try FileManager.default.attributesOfItem(atPath: paths.database)[.size] as? Int ?? 0
        }
    }

    var archiveBytes: Int {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: paths.archive).reduce(0) { sum, path in
                let facts = try FileManager.default.attributesOfItem(atPath: paths.archive + "/" + path)
                return sum + (facts[.type] as? FileAttributeType == .typeRegular ? facts[.size] as? Int ?? 0 : 0)
            }
        }
    }
}
