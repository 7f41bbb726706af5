import Foundation

/// A small file system in memory, for tests of disks that are full or can't be written. Needs root.
package final class MountedFolder {
    package static let isPossible = geteuid() == 0

    private let folder: TemporaryFolder

    package init(bytes: Int) throws {
        folder = try TemporaryFolder()
        try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(bytes)", "tmpfs", folder.path])
    }

    deinit {
        try? Self.run("umount", ["--lazy", folder.path])
    }

    package var path: String { folder.path }

    package func path(_ name: String) -> String { folder.path(name) }

    /// Makes it read-only, or writable again; possible while no file of it is open for writing.
    package func setWritable(_ isWritable: Bool) throws {
        try Self.run("mount", ["-o", "remount,\(isWritable ? "rw" : "ro")", folder.path])
    }

    /// Gives it another size, at least what is in it.
    package func resize(bytes: Int) throws {
        try Self.run("mount", ["-o", "remount,size=\(bytes)", folder.path])
    }

    /// The room that is left.
    package func freeBytes() throws -> Int {
        let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
        return attributes[.systemFreeSize] as? Int ?? -1
    }

    /// Takes all the room that is left, with a file of that name.
    package func fill(_ name: String) {
        let descriptor = open(path(name), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        for size in [65_536, 4_096, 1] {
            let zeros = [UInt8](repeating: 0, count: size)
            while write(descriptor, zeros, size) > 0 {}
        }
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let result = try BuiltProgram.run(program, arguments)
        guard result.status == 0 else { throw WaitedInVain("\(program): \(result.errors)") }
    }
}
