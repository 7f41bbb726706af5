import Foundation
import TestSupport
import Testing

@Suite("The Debian package", .tools)
struct DebianPackageTests {
    private static let quiet = ["DEBIAN_FRONTEND": "noninteractive"]

    @Test(
        "is installed in a clean system with a user, a key and a service, serves, and leaves nothing but its data",
        .enabled(if: CleanRoot.obstacle == nil, CleanRoot.obstacle))
    func install() throws {
        let package = Checkout.root.appendingPathComponent(try CleanRoot.make("deb")).path
        let root = try CleanRoot()
        try root.unpack(CleanRoot.make("minbase"))
        try FileManager.default.copyItem(atPath: package, toPath: root.path + "/qoe.deb")
        let names = try Data(contentsOf: URL(fileURLWithPath: "/etc/resolv.conf"))
        try names.write(to: URL(fileURLWithPath: root.path + "/etc/resolv.conf"))
        try root.require("apt-get", "update", environment: Self.quiet)
        try root.require(
            "apt-get", "install", "--yes", "--no-install-recommends", "/qoe.deb", environment: Self.quiet)

        #expect(try root.require("/usr/bin/qoe", "--version").hasPrefix("qoe "))
        #expect(
            try root.require("stat", "-c", "%U:%G %a", "/etc/qoe", "/etc/qoe/write-keys") == """
                root:qoe-keys 750
                root:qoe-keys 640

                """)
        let key = try #require(try root.text("/etc/qoe/write-keys").wholeMatch(of: /app ([0-9a-f]{48})\n/)).output.1
        #expect(root.exists("/etc/systemd/system/multi-user.target.wants/qoe.service"))
        #expect(!root.exists("/etc/systemd/system/timers.target.wants/qoe-export.timer"))

        let unit = try root.text("/lib/systemd/system/qoe.service")
        #expect(unit.contains("\nExecStart=/usr/bin/qoe serve\n") && unit.contains("\nUser=qoe\n"))
        try expectVerified(root)
        try root.require("install", "-d", "-m", "750", "-o", "qoe", "-g", "qoe", "/var/lib/qoe")
        var environment: [String: String] = [:]
        for match in unit.matches(of: /(?m)^Environment=(QOE_\w+)=(.+)$/) {
            environment[String(match.output.1)] = String(match.output.2)
        }
        let user = try root.require("id", "-u", "qoe").filter(\.isNumber)
        let group = try root.require("id", "-g", "qoe").filter(\.isNumber)
        let keys = try #require(try root.text("/etc/group").firstMatch(of: /qoe-keys:x:(\d+)/)).output.1
        let server = try ServerProcess(
            data: "/var/lib/qoe",
            wrapper: root.wrapper(user: "\(user):\(group)", groups: String(keys), environment: environment),
            program: "/usr/bin/qoe")
        let body = SampleBatch.body(ids: [SampleBatch.newId()])
        #expect(try server.post(body).status == 401)
        #expect(try server.post(body, fields: ["Authorization": "Bearer \(key)"]).status == 202)
        #expect(try server.admin("/readyz").status == 200)
        #expect(server.stop() == 0)

        try root.require("apt-get", "install", "--yes", "--reinstall", "/qoe.deb", environment: Self.quiet)
        #expect(try root.text("/etc/qoe/write-keys").contains(key))
        try root.require("apt-get", "remove", "--yes", "qoe", environment: Self.quiet)
        #expect(!root.exists("/usr/bin/qoe") && root.exists("/etc/qoe/write-keys"))
        try root.require("apt-get", "purge", "--yes", "qoe", environment: Self.quiet)
        #expect(!root.exists("/etc/qoe") && !root.exists("/etc/default/qoe"))
        #expect(!root.exists("/etc/systemd/system/multi-user.target.wants/qoe.service"))
        #expect(root.exists("/var/lib/qoe/archive") && root.exists("/var/lib/qoe/qoe.sqlite"))
    }

    /// systemd takes the units without a word; it looks for the program on this machine.
    private func expectVerified(_ root: CleanRoot) throws {
        let folder = try TemporaryFolder()
        let names = ["qoe.service", "qoe-export.service", "qoe-export.timer"]
        for name in names {
            let text = try root.text("/lib/systemd/system/\(name)")
                .replacingOccurrences(of: "/usr/bin/qoe", with: BuiltProgram("qoe").path)
            try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        }
        for name in names {
            let result = try BuiltProgram.run("systemd-analyze", ["verify", "--man=no", folder.path(name)])
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        }
    }
}
