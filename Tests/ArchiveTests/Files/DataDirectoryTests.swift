import Archive
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The data directory")
struct DataDirectoryTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("is made with its folders, and those above it")
    func made() throws {
        let root = folder.path("a/b/data")
        let directory = try DataDirectory(root + "//")
        #expect(directory.paths.root == root)
        let names = try FileManager.default.contentsOfDirectory(atPath: root).sorted()
        #expect(names == ["archive", "damaged", "lock", "rejected", "reports"])
    }

    @Test("makes its own names durable at every start, since the one before may have been killed first")
    func namesAreDurable() throws {
        let root = folder.path("data")
        let synced = Mutex(0)
        var files = FileCalls.system
        files.sync = { [system = files.sync] descriptor in
            var (one, other) = (stat(), stat())
            if fstat(descriptor, &one) == 0, stat(root, &other) == 0, one.st_ino == other.st_ino {
                synced.withLock { $0 += 1 }
            }
            return system(descriptor)
        }
        for start in 1...2 {
            _ = try DataDirectory(root, files: files)
            #expect(synced.withLock { $0 } == start)
        }
    }

    @Test("belongs to one writer at a time, and says who has it")
    func lock() throws {
        let root = folder.path("data")
        let first = try DataDirectory(root)
        let fault = #expect(throws: DataDirectoryError.self) { try DataDirectory(root) }
        #expect(fault == .busy(path: root + "/lock", process: ProcessInfo.processInfo.processIdentifier))
        #expect("\(try #require(fault))".contains("process \(ProcessInfo.processInfo.processIdentifier) holds"))
        withExtendedLifetime(first) {}
    }

    @Test("is free again when its writer goes")
    func freed() throws {
        let root = folder.path("data")
        for _ in 0..<3 {
            var writer: DataDirectory? = try DataDirectory(root)
            #expect(writer?.paths.root == root)
            #expect(throws: DataDirectoryError.self) { try DataDirectory(root) }
            withExtendedLifetime(writer) {}
            writer = nil
        }
        #expect(throws: Never.self) { try DataDirectory(root) }
    }

    @Test("is kept by the lock of another process, and free when that dies")
    func otherProcess() throws {
        let root = folder.path("data")
        _ = try DataDirectory(root)
        // The same lock from another program: "open file description", exclusive, whole file.
        let script = """
            import fcntl, struct, sys
            lock = open(sys.argv[1], "r+")
            fcntl.fcntl(lock, 37, struct.pack("hhqqixxxx", fcntl.F_WRLCK, 0, 0, 0, 0))
            lock.truncate(0)
            print("held", flush=True)
            sys.stdin.read()
            """
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, root + "/lock"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("held"))
        let fault = #expect(throws: DataDirectoryError.self) { try DataDirectory(root) }
        #expect(fault == .busy(path: root + "/lock", process: nil))
        #expect("\(try #require(fault))".contains("another process holds"))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        _ = try DataDirectory(root)
    }

    @Test("belongs to one writer at a time though somebody removes the file that says so, or all of the names in it")
    func lockRemoved() throws {
        let root = folder.path("data")
        let first = try DataDirectory(root)
        try FileManager.default.removeItem(atPath: root + "/lock")
        #expect(DataPaths(root).hasWriter)
        let fault = #expect(throws: DataDirectoryError.self) { try DataDirectory(root) }
        #expect(fault == .busy(path: root + "/lock", process: nil))
        #expect(DataPaths(root).hasWriter)
        // Another file in its place is locked by nobody.
        try? FileManager.default.removeItem(atPath: root + "/lock")
        try Data().write(to: URL(fileURLWithPath: root + "/lock"))
        #expect(DataPaths(root).hasWriter)
        try FileManager.default.moveItem(atPath: root, toPath: folder.path("moved"))
        #expect(throws: DataDirectoryError.self) { try DataDirectory(folder.path("moved")) }
        #expect(throws: FileError.self) { try first.check() }
        // Another directory under that name is another.
        _ = try DataDirectory(root)
        #expect(throws: FileError.self) { try first.check() }
        withExtendedLifetime(first) {}
    }

    @Test("can be read by its user and group alone, also where an earlier version had let everybody")
    func modes() throws {
        let root = folder.path("data")
        _ = try DataDirectory(root)
        let names = ["", "/archive", "/rejected", "/damaged", "/lock", "/archive/manifest"]
        func modes() -> [UInt32] {
            names.map { name in
                var status = stat()
                return stat(root + name, &status) == 0 ? status.st_mode & 0o777 : 0
            }
        }
        let narrow: [UInt32] = [0o750, 0o750, 0o750, 0o750, 0o640, 0o640]
        #expect(modes() == narrow)
        for name in names { chmod(root + name, 0o777) }
        try Data().write(to: URL(fileURLWithPath: root + "/qoe.sqlite-wal"))
        chmod(root + "/qoe.sqlite-wal", 0o644)
        _ = try DataDirectory(root)
        #expect(modes() == narrow)
        var status = stat()
        #expect(stat(root + "/qoe.sqlite-wal", &status) == 0 && status.st_mode & 0o777 == 0o640)
        // What is narrower stays so.
        chmod(root, 0o700)
        _ = try DataDirectory(root)
        #expect(modes()[0] == 0o700)
    }

    @Test("says what is in the way when it can't be made")
    func unusable() throws {
        let path = folder.path("file")
        try Data().write(to: URL(fileURLWithPath: path))
        for root in [path, path + "/data"] {
            let fault = #expect(throws: DataDirectoryError.self) { try DataDirectory(root) }
            #expect("\(try #require(fault))".contains(path))
        }
        let root = folder.path("data")
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: root + "/archive"))
        let fault = #expect(throws: DataDirectoryError.self) { try DataDirectory(root) }
        #expect("\(try #require(fault))" == "cannot make the folder \(root)/archive: Not a directory")
    }

    @Test("is probed with a durable write that leaves nothing behind")
    func probe() throws {
        let root = folder.path("data")
        _ = try DataDirectory(root)
        let paths = DataPaths(root)
        let disk = ScriptedDisk()
        let probe = WriteProbe(paths, files: disk.files)
        try probe.run()
        #expect(disk.calls == ["write .probe", "syncData .probe"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: paths.archive) == ["manifest"])
        disk.fail(.write, 1, .short(100, then: ENOSPC))
        #expect(throws: FileError("write", paths.archive + "/.probe", code: ENOSPC)) { try probe.run() }
        disk.fail(.syncData, 1, .error(EIO))
        #expect(throws: FileError("sync", paths.archive + "/.probe", code: EIO)) { try probe.run() }
        try FileManager.default.removeItem(atPath: paths.archive)
        #expect(throws: FileError("make", paths.archive + "/.probe", code: ENOENT)) { try probe.run() }
    }
}
