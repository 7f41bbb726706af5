import CommandLineTool
import Foundation
import Testing
import TestSupport

@Suite("A file that a command leaves")
struct OutputFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test("gets its name when it is whole, and keeps the old content until then")
    func whole() throws {
        try OutputFile.write("old", to: folder.path("a"))
        let file = try OutputFile(folder.path("a"))
        try file.write("new".utf8)
        #expect(try text("a") == "old")
        try file.finish()
        #expect(try text("a") == "new")
        #expect(try names == ["a"])
    }

    @Test("leaves nothing behind when it is given up")
    func discarded() throws {
        do {
            let file = try OutputFile(folder.path("a"))
            try file.write("half".utf8)
        }
        #expect(try names.isEmpty)
    }

    @Test("keeps the rights that the one before had")
    func rights() throws {
        try OutputFile.write("old", to: folder.path("a"))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path("a"))
        try OutputFile.write("new", to: folder.path("a"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("a"))
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test("goes where a link points, and the link stays")
    func link() throws {
        try OutputFile.write("old", to: folder.path("a"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path("a"))
        try OutputFile.write("new", to: folder.path("link"))
        #expect(try text("a") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == folder.path("a"))
    }

    @Test("never takes the place of what is no plain file")
    func pipe() throws {
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        // Open for reading too: then writing waits for nobody.
        let pipe = open(folder.path("pipe"), O_RDWR)
        defer { close(pipe) }
        try OutputFile.write("through", to: folder.path("pipe"))
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(read(pipe, &bytes, bytes.count) == 7)
        #expect(try names == ["pipe"])
    }

    @Test("says in one line where and why it can't be made")
    func impossible() throws {
        let file = folder.path("a")
        try OutputFile.write("", to: file)
        for (path, reason) in [
            (folder.path, "Is a directory"), ("\(file)/b", "Not a directory"),
            (folder.path("no/b"), "No such file or directory"),
        ] {
            let error = #expect(throws: CommandError.self) { try OutputFile.write("x", to: path) }
            #expect(error == CommandError(.cannotCreate, "can't write \(path): \(reason)"))
        }
        #expect(throws: CommandError.self) { try OutputFile.write("x", to: "") }
        #expect(try names == ["a"])
    }

    @Test("that does not get all of its bytes is no success")
    func full() throws {
        // Whoever may write to /dev tries a device of the test's own: a mistake here would take the system's away.
        let mayReplace = access("/dev", W_OK) == 0
        let device = mayReplace ? folder.path("full") : "/dev/full"
        if mayReplace { try #require(mknod(device, S_IFCHR | 0o600, 1 << 8 | 7) == 0) }
        let error = #expect(throws: CommandError.self) { try OutputFile.write("x", to: device) }
        #expect(error == CommandError(.inputOutput, "writing \(device) failed: No space left on device"))
    }

    @Test("may stand in a folder that is made with those above it")
    func folders() throws {
        try OutputFile.makeFolder(folder.path("a/b//c/"))
        try OutputFile.makeFolder(folder.path("a/b/c"))
        try OutputFile.write("x", to: folder.path("a/b/c/d"))
        for path in ["a/b/c/d", "a/b/c/d/e"] {
            let error = #expect(throws: CommandError.self) { try OutputFile.makeFolder(folder.path(path)) }
            #expect(error?.code == .cannotCreate)
            #expect(error?.message == "can't make the folder \(folder.path(path)): Not a directory")
        }
    }
}
