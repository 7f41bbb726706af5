internal import Suggestions

/// A program of several commands: finds the one that is meant, runs it, says what went wrong, ends the process.
package struct Program: Sendable {
    /// A command and what it does.
    package struct Entry: Sendable {
        package let command: Command
        package let run: @Sendable (Arguments) throws -> ExitCode

        package init(_ command: Command, run: @escaping @Sendable (Arguments) throws -> ExitCode) {
            self.command = command
            self.run = run
        }
    }

    package let name: String
    package let version: String
    package let summary: String
    package let entries: [Entry]

    package init(name: String, version: String, summary: String, entries: [Entry]) {
        self.name = name
        self.version = version
        self.summary = summary
        self.entries = entries
    }

    /// Runs what the words ask for and gives back the exit code; errors go to standard error as one line.
    package func run(_ words: [String], environment: [String: String]) -> ExitCode {
        OutputDescriptor.fillStandardStreams()
        do {
            return try dispatch(words, environment: environment)
        } catch let error as CommandError {
            StandardError.write("\(name): \(error.message)")
            return error.code
        } catch {
            StandardError.write("\(name): \(error)")
            return .inputOutput
        }
    }

    private func dispatch(_ words: [String], environment: [String: String]) throws -> ExitCode {
        let first = words.first ?? ""
        if first == "--version" {
            try StandardOutput.write("\(name) \(version)\n")
            return .success
        }
        let isSingle = entries.count == 1 && entries[0].command.name.isEmpty
        if !isSingle, ["--help", "-h", "help"].contains(first) {
            let command = first == "help" && words.count > 1 ? try entry(Array(words.dropFirst())).command : nil
            try StandardOutput.write(command?.help(program: name) ?? overview)
            return .success
        }
        let entry = isSingle ? entries[0] : try entry(words)
        let arguments: Arguments
        do {
            arguments = try entry.command.parse(Array(words.dropFirst(isSingle ? 0 : 1)), environment: environment)
        } catch {
            let called = isSingle ? name : "\(name) \(entry.command.name)"
            throw CommandError(error.code, "\(error.message) (see \(called) --help)")
        }
        if arguments.wantsHelp {
            try StandardOutput.write(entry.command.help(program: name))
            return .success
        }
        return try entry.run(arguments)
    }

    /// The command that the first word names.
    ///
    /// - Throws: `usage` for a command that is not there.
    private func entry(_ words: [String]) throws(CommandError) -> Entry {
        let first = words.first ?? ""
        if let entry = entries.first(where: { $0.command.name == first }) { return entry }
        let known = entries.map(\.command.name)
        let hint = first.isEmpty ? nil : Spelling.nearest(to: first, among: known).map { "did you mean \($0)?" }
        throw CommandError(
            .usage,
            (first.isEmpty ? "a command is needed" : "unknown command \"\(first)\"") + "; "
                + (hint ?? "the commands are \(known.joined(separator: ", "))"))
    }

    private var overview: String {
        let width = entries.map(\.command.name.count).max() ?? 0
        let lines = entries.map { entry in
            let padding = String(repeating: " ", count: width - entry.command.name.count)
            return "  \(entry.command.name)\(padding)  \(entry.command.summary)"
        }
        return "\(name): \(summary)\n\ncommands:\n\(lines.joined(separator: "\n"))\n\n"
            + "\(name) COMMAND --help tells the options of each; \(name) --version the version.\n"
    }
}
