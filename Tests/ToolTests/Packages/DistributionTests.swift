import Foundation
import Testing
import TestSupport

@Suite("The program that make dist leaves", .tools)
struct DistributionTests {
    private let program = Checkout.root.appendingPathComponent("dist/qoe").path

    /// The libraries that the loader finds for it, by name and path.
    private func libraries() throws -> [String: String] {
        let result = try BuiltProgram.run("ldd", [program])
        try #require(result.status == 0, "\(result.errors)")
        var libraries: [String: String] = [:]
        for match in result.output.matches(of: /([^\s\/]+\.so[.0-9]*)(?: => (\S+))? \(/) {
            libraries[String(match.output.1)] = match.output.2.map(String.init)
        }
        return libraries
    }

    @Test("needs SQLite and zlib, and beside them only what every Debian has")
    func needs() throws {
        let base: Set = ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "linux-vdso.so.1"]
        let needed = Set(try libraries().keys).subtracting(base).filter { !$0.hasPrefix("ld-linux") }
        #expect(needed == ["libsqlite3.so.0", "libz.so.1"])
        let symbols = try BuiltProgram.run("readelf", ["--wide", "--sections", "--dynamic", program])
        #expect(symbols.status == 0)
        #expect(!symbols.output.contains(".symtab") && !symbols.output.contains("RUNPATH"))
    }

    @Test("has beside it what names the line of an address, as a core has it")
    func addresses() throws {
        let names = try BuiltProgram.run("nm", [program + ".debug"])
        let functions = names.output.matches(of: /(?m)^([0-9a-f]+) t \$s9PlayStore\w+F$/).prefix(50)
        // The program itself says where that is. What the compiler has made has no line.
        let lines = try BuiltProgram.run("addr2line", ["-e", program] + functions.map { String($0.output.1) })
        #expect(lines.output.contains("/Sources/PlayStore/"), "\(lines.output)\(lines.errors)")
    }

    @Test("works where there is nothing but it and those libraries: loads, verifies, reports, serves")
    func alone() throws {
        let root = try TemporaryFolder()
        try fill(root)
        let sample = Checkout.root.appendingPathComponent("sample-data/two-days.ndjson.gz").path
        try FileManager.default.copyItem(atPath: sample, toPath: root.path("sample.ndjson.gz"))
        let version = try run(in: root, ["--version"])
        #expect(version.status == 0 && version.output.hasPrefix("qoe "))
        let loaded = try run(in: root, ["load", "--any-time", "--data", "/data", "/sample.ndjson.gz"])
        #expect(loaded.status == 0, "\(loaded.errors)")
        #expect(try run(in: root, ["verify", "--data", "/data"]).status == 0)
        let report = try run(in: root, ["report", "--data", "/data"])
        #expect(report.status == 0 && report.output.contains("(all)"), "\(report.errors)")

        let server = try ServerProcess(
            data: "/data", wrapper: ["env", "-i"] + Self.jail(root), program: "/qoe")
        #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202)
        #expect(server.stop() == 0)
    }

    @Test("speaks to ClickHouse where libcurl is, and says what is missing where it isn't")
    func clickHouse() throws {
        let url = "clickhouse://127.0.0.1:1/qoe"
        let there = try BuiltProgram.run(program, ["store", "create", "--store", url])
        #expect(there.status == 69 && there.errors.contains("nothing listens there"), "\(there.errors)")
        let root = try TemporaryFolder()
        try fill(root)
        let missing = try run(in: root, ["store", "create", "--store", url])
        #expect(missing.status == 69 && missing.errors.contains("apt-get install libcurl4"), "\(missing.errors)")
    }

    /// A root of its own: the program, and the libraries where the loader looks for them.
    private func fill(_ root: TemporaryFolder) throws {
        let files = FileManager.default
        for path in try libraries().values + ["/lib64/ld-linux-x86-64.so.2"] {
            let target = root.path + path
            try files.createDirectory(
                atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try files.copyItem(atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path, toPath: target)
        }
        try files.copyItem(atPath: program, toPath: root.path("qoe"))
        try files.createDirectory(atPath: root.path("proc"), withIntermediateDirectories: false)
    }

    /// Words that make a folder the root of what comes after them. Swift reads a program's own words from /proc.
    private static func jail(_ root: TemporaryFolder) -> [String] {
        let enter = #"/bin/mount --rbind /proc "$0/proc" && exec /usr/sbin/chroot "$0" "$@""#
        return ["/usr/bin/unshare", "--mount"] + (geteuid() == 0 ? [] : ["--map-root-user"])
            + ["/bin/sh", "-c", enter, root.path]
    }

    private func run(in root: TemporaryFolder, _ words: [String]) throws -> BuiltProgram.Result {
        try BuiltProgram.run("env", ["-i"] + Self.jail(root) + ["/qoe"] + words)
    }
}
