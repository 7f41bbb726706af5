import Foundation
import TestSupport
import Testing

/// A system in a folder, in which programs run as if there were nothing else. It takes root to make one.
final class CleanRoot {
    /// Why none can be made here; nil where one can.
    static let obstacle: Comment? =
        if geteuid() != 0 {
            "a clean system with files of several owners can be made by root alone"
        } else if (try? BuiltProgram.run("unshare", ["--mount", "mount", "--bind", "/usr", "/mnt"]).status) != 0 {
            "this machine lets nobody mount in a namespace of one's own"
        } else {
            nil
        }

    let folder: TemporaryFolder
    var path: String { folder.path }

    init() throws {
        folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
    }

    func unpack(_ tar: String) throws {
        let result = try BuiltProgram.run("tar", ["-x", "--numeric-owner", "-f", tar, "-C", path])
        try #require(result.status == 0, "\(result.errors)")
    }

    /// Words that let what comes after them run in the system.
    ///
    /// - Parameter user: numbers or names of it, as `USER:GROUP`.
    func wrapper(user: String = "0:0", groups: String = "", environment: [String: String] = [:]) -> [String] {
        // Mounted in this process' namespace alone, which goes with it. Swift reads a program's own words from /proc.
        let enter = """
            mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t tmpfs tmpfs "$0/run" \
            && user=$1 groups=$2 && shift 2 && exec chroot --userspec="$user" --groups="$groups" "$0" "$@"
            """
        return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", enter, path, user, groups, "/usr/bin/env", "-i"]
            + ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/"] + environment.map { "\($0)=\($1)" }
    }

    func run(
        _ words: [String], user: String = "0:0", environment: [String: String] = [:]
    ) throws -> BuiltProgram.Result {
        let words = wrapper(user: user, environment: environment) + words
        return try BuiltProgram.run(words[0], Array(words.dropFirst()))
    }

    /// The same, of which the test needs that it succeeds.
    @discardableResult
    func require(_ words: String..., environment: [String: String] = [:]) throws -> String {
        let result = try run(words, environment: environment)
        try #require(result.status == 0, "\(words): \(result.output)\(result.errors)")
        return result.output
    }

    /// A link counts too, though where it leads is another place out here.
    func exists(_ file: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path + file)) != nil
    }

    func text(_ file: String) throws -> String { try String(contentsOfFile: path + file, encoding: .utf8) }

    /// Runs a script of the checkout, and gives its last line of output.
    static func make(_ script: String) throws -> String {
        let result = try BuiltProgram.run(Checkout.root.appendingPathComponent(".make/\(script)").path, [])
        try #require(result.status == 0, "\(script): \(result.errors)")
        return String(result.output.split(separator: "\n").last ?? "")
    }
}
