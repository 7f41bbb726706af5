package import Archive
internal import Glibc
internal import Platform
internal import SQLite

/// A database that is built beside a server, and takes the place of the one that it uses at its next start.
package enum NextDatabase {
    /// What became of one at a start.
    package enum Outcome: Sendable, Equatable {
        /// It is in the place of the one before, which is gone.
        case placed
        /// It stays where it is, and the one before in use.
        case refused(String)
    }

    /// Loads the logs into a new database, as far as they are durable, while somebody else may write them.
    ///
    /// - Parameter progress: gets the follower's status after every commit.
    /// - Returns: what has been loaded.
    /// - Throws: ``NextDatabaseError``, or what the logs' files, the new database or the disk said.
    @discardableResult
    package static func build(
        data: DataPaths, store configuration: StoreConfiguration = .init(),
        follower following: FollowerConfiguration = .init(), progress: (FollowerStatus) -> Void = { _ in }
    ) throws -> StoreTotals {
        let lock = try BuilderLock(data)
        return try withExtendedLifetime(lock) {
            let new = part(data)
            do {
                let (removed, erased) = (try removedFiles(data), try EraseFolder(data).tombstones())
                let totals = try load(into: new, data, configuration, following, progress)
                // It may have come to them too late.
                guard try removedFiles(data) == removed else { throw NextDatabaseError.pruned }
                guard try EraseFolder(data).tombstones() == erased else { throw NextDatabaseError.erased }
                try new.replace(DatabaseFile(data.nextDatabase))
                return totals
            } catch {
                new.remove()
                throw error
            }
        }
    }

    /// Removes one that was built: somebody is erased whom it may hold. One that is being built is given up at its end.
    package static func remove(_ data: DataPaths) {
        DatabaseFile(data.nextDatabase).remove()
    }

    /// What is being built.
    private static func part(_ data: DataPaths) -> DatabaseFile { DatabaseFile(data.nextDatabase + ".part") }

    private static func load(
        into file: DatabaseFile, _ data: DataPaths, _ configuration: StoreConfiguration,
        _ following: FollowerConfiguration, _ progress: (FollowerStatus) -> Void
    ) throws -> StoreTotals {
        var following = following
        let limit = Monitor(LogPositions())
        let hasWriter = data.hasWriter
        // Without a writer whole members are durable: the last one to write has ended, or its machine has.
        if hasWriter { following.durableEnd = { log in limit.read { $0[log] } } }
        let follower = Follower(
            store: try StoreRebuild.begin(file, data, configuration), data: data, configuration: following)
        // What came meanwhile is little, and what comes in the last round is for the server to load.
        for _ in 0..<3 {
            let end = try hasWriter ? durableEnd(data) : LogPositions()
            limit.change { $0 = end }
            try follower.followToEnd(progress: progress)
            if !hasWriter || follower.status.positions == end { break }
        }
        // All of it has to be in the one file that gets the new name.
        try follower.putInOrder()
        return follower.status.totals
    }

    /// Up to where the logs are durable for certain: a server's database never holds more. Where it can't be read, all files
    /// but the newest are.
    private static func durableEnd(_ data: DataPaths) throws(FileError) -> LogPositions {
        if let positions = StorePositions.readAny(data: data) { return positions }
        var positions = LogPositions()
        for log in LogKind.followed {
            guard let last = try SegmentList(directory: data.log(log), kind: log).segments.last else { continue }
            positions[log] = LogPosition(segment: last.sequence, offset: 0)
        }
        return positions
    }

    /// Puts a database in the place of the one in use, if there is one and it is one of this directory and this layout that has
    /// all of the logs before its place. The caller holds the ``DataDirectory``.
    ///
    /// Whatever the moment of a crash, the next start finds either the old database whole, or the new one, under one name or the
    /// other.
    ///
    /// - Throws: what the disk said of giving it the new name.
    static func putInPlace(_ data: DataPaths) throws(FileError) -> Outcome? {
        // What a builder has left that was killed.
        if access(part(data).path, F_OK) == 0, let lock = try? BuilderLock(data) {
            withExtendedLifetime(lock) { part(data).remove() }
        }
        let new = DatabaseFile(data.nextDatabase)
        guard access(new.path, F_OK) == 0 else { return nil }
        let erasures = EraseFolder(data)
        let begun = try erasures.ids(.position) + erasures.ids(.plan)
        if !begun.isEmpty {
            new.remove()
            return .refused("somebody is being erased whom it may hold: build it again")
        }
        if let reason = try obstacle(new, data) { return .refused(reason) }
        try new.replace(DatabaseFile(data.database))
        return .placed
    }

    private static func obstacle(_ new: DatabaseFile, _ data: DataPaths) throws(FileError) -> String? {
        guard access(new.path, R_OK | W_OK) == 0 else { return "\(new.path): \(String(cString: strerror(errno)))" }
        do {
            // It is closed and in one file, so that nothing beside it is made, or read.
            let connection = try SQLiteConnection(path: new.path, mode: .unchanging)
            do {
                try SQLiteStore.check(connection, path: new.path)
            } catch SQLiteStoreError.olderLayout {
                // It is raised by whoever writes to it.
            }
            try StoreOrigin.check(connection, data)
            let positions = try StoreRecords.positions(connection)
            for (file, bytes) in try removedFiles(data)
            where positions[file.kind] < LogPosition(segment: file.sequence, offset: bytes) {
                return "\(file.label) was pruned before it was read: build it again"
            }
            return nil
        } catch let fault as FileError {
            throw fault
        } catch let error as SQLiteError {
            return "\(new.path): \(error.message)"
        } catch {
            return "\(error)"
        }
    }

    /// The files of plays and rejected events that were removed with what they held, and their lengths.
    private static func removedFiles(_ data: DataPaths) throws(FileError) -> [SegmentName: Int64] {
        guard let manifest = try Manifest.read(data) else { return [:] }
        return LogKind.followed.reduce(into: [:]) { removed, log in
            for file in manifest[log].files.values where file.removedLines ?? 0 > 0 {
                removed[file.name] = file.closed?.bytes ?? .max
            }
        }
    }
}

/// Why a database can't be built beside another.
package enum NextDatabaseError: Error, Sendable, CustomStringConvertible {
    /// Somebody builds one.
    case busy(path: String)
    /// Files have gone that it may not have read.
    case pruned
    /// Somebody was erased whom it may hold.
    case erased

    package var description: String {
        switch self {
        case .busy(let path): "somebody is building \(path): wait until it is done"
        case .pruned: "files of the archive were pruned meanwhile: run it again"
        case .erased: "somebody was erased meanwhile: run it again"
        }
    }
}

/// Keeps a second builder off a data directory; freed with the object. A writer has other locks.
private final class BuilderLock {
    private let descriptor: Int32

    init(_ data: DataPaths) throws {
        descriptor = open(data.archive, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", data.archive, code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw NextDatabaseError.busy(path: data.nextDatabase)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
