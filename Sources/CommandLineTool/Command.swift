internal import Suggestions

/// A command's words: its options and operands, how they are read, and the help that names all of them.
package struct Command: Sendable {
    package let name: String
    package let summary: String
    /// What stands for the operands in the help, such as `FILE…`; nil when the command takes none.
    package let operands: String?
    package let options: [Option]
    /// What the help says below the options.
    package let notes: String

    package init(
        _ name: String, summary: String, operands: String? = nil, options: [Option], notes: String = ""
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.notes = notes
    }

    /// Reads the words after the command's name.
    ///
    /// - Throws: `usage` for a word that the command does not know or an option without its value;
    ///   `configuration` when that came from the environment.
    package func parse(_ words: [String], environment: [String: String]) throws(CommandError) -> Arguments {
        var arguments = Arguments(command: self)
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                arguments.operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                arguments.operands.append(word)
                continue
            }
            if word == "--help" || word == "-h" {
                arguments.wantsHelp = true
                return arguments
            }
            let (name, joined) = split(word)
            guard word.hasPrefix("--"), let option = options.first(where: { $0.name == name }) else {
                throw CommandError(.usage, "unknown option \(word)\(suggestion(for: name))")
            }
            let value: String
            if option.value == nil {
                guard joined == nil else { throw CommandError(.usage, "--\(name) takes no value") }
                value = "yes"
            } else if let given = joined ?? rest.popFirst(), !given.isEmpty {
                value = given
            } else {
                // An empty one is what a shell makes of a variable that is not set.
                throw CommandError(.usage, "--\(name) needs a value: --\(name) \(option.value ?? "")")
            }
            guard option.repeats || arguments.given[name] == nil else {
                throw CommandError(.usage, "--\(name) stands there twice")
            }
            arguments.given[name, default: []].append(value)
        }
        if operands == nil, let extra = arguments.operands.first {
            throw CommandError(
                .usage, "\(name.isEmpty ? "it" : name) takes no operand, but there is \"\(extra)\"")
        }
        try arguments.fill(from: environment)
        return arguments
    }

    /// Splits `--name=value`.
    private func split(_ word: String) -> (name: String, value: String?) {
        let bare = word.drop { $0 == "-" }
        guard let equals = bare.firstIndex(of: "=") else { return (String(bare), nil) }
        return (String(bare[..<equals]), String(bare[bare.index(after: equals)...]))
    }

    /// The option that was meant; where none comes near, all of them.
    private func suggestion(for name: String) -> String {
        let known = options.map(\.name) + ["help"]
        if let nearest = Spelling.nearest(to: name, among: known) { return "; did you mean --\(nearest)?" }
        return "; the options are \(known.map { "--\($0)" }.joined(separator: ", "))"
    }

    /// The text of `--help`, at most 100 columns wide.
    package func help(program: String) -> String {
        let called = name.isEmpty ? program : "\(program) \(name)"
        var text = TextWrapping.wrap("\(called): \(summary)", indent: 0)
        text += "\nusage: \(called) [OPTIONS]\(operands.map { " \($0)" } ?? "")\n\noptions:\n"
        for option in options {
            text += "  --\(option.name)\(option.value.map { " \($0)" } ?? "")\(option.repeats ? " …" : "")\n"
            var facts = option.help
            if let initial = option.initial { facts += " (default: \(initial))" }
            if let environment = option.environment { facts += " [\(environment)]" }
            text += TextWrapping.wrap(facts, indent: 6)
        }
        text += "  -h, --help\n      This text.\n"
        return notes.isEmpty ? text : text + "\n" + TextWrapping.wrapParagraphs(notes)
    }
}

/// Breaks help texts into lines.
private enum TextWrapping {
    /// `text` in lines of at most 100 columns, each indented and ended.
    static func wrap(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var result = ""
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > 100 {
                result += margin + line + "\n"
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? result : result + margin + line + "\n"
    }

    /// Paragraphs in lines of at most 100 columns; lines that are indented stay as they are.
    static func wrapParagraphs(_ text: String) -> String {
        var result = ""
        var paragraph: [Substring] = []
        func end() {
            result += wrap(paragraph.joined(separator: " "), indent: 0)
            paragraph.removeAll()
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty || line.hasPrefix(" ") {
                end()
                result += line + "\n"
            } else {
                paragraph.append(line)
            }
        }
        end()
        return result
    }
}
