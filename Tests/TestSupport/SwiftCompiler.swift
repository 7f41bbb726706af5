import Foundation

/// The compiler, for tests that check sources which are not part of the build here, or ask what a module shows to others.
package enum SwiftCompiler {
    /// Compiles the files of one module with the settings of the package.
    ///
    /// - Parameters:
    ///   - files: paths of the module's sources.
    ///   - module: its name.
    ///   - folder: where modules that it imports are found, and where it is written.
    ///   - options: such as `-typecheck`; without any, the module is written.
    /// - Returns: what the compiler said; `nil` when it was content.
    package static func compile(
        _ files: [String], as module: String, in folder: TemporaryFolder, options: [String] = []
    ) throws -> String? {
        let result = try run(
            [
                "swiftc", "-module-name", module, "-I", folder.path, "-parse-as-library", "-whole-module-optimization",
                "-package-name", "video_qoe", "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny",
                "-enable-upcoming-feature", "InternalImportsByDefault",
                "-enable-upcoming-feature", "MemberImportVisibility",
            ] + (options.isEmpty ? emitting(module, in: folder) : options) + files)
        return result.status == 0 && result.said.isEmpty ? nil : "exit \(result.status): \(result.said)"
    }

    /// The options that write a module, and the graph of its symbols beside it.
    package static func emitting(_ module: String, in folder: TemporaryFolder) -> [String] {
        [
            "-emit-module", "-emit-module-path", folder.path("\(module).swiftmodule"),
            "-emit-symbol-graph", "-emit-symbol-graph-dir", folder.path,
        ]
    }

    /// Runs a program of the toolchain.
    package static func run(_ arguments: [String]) throws -> (status: Int32, said: String) {
        let result = try BuiltProgram.run("env", arguments)
        return (result.status, result.output + result.errors)
    }

    /// The paths of the Swift sources below a folder of the checkout, in order.
    package static func sources(in path: String) -> [String] {
        let root = Checkout.root.appendingPathComponent(path)
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { root.appendingPathComponent($0).path }
    }
}
