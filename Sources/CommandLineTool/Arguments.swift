/// What a command line said, after the environment and the defaults have filled the gaps.
package struct Arguments: Sendable {
    let command: Command
    var given: [String: [String]] = [:]
    package internal(set) var operands: [String] = []
    package internal(set) var wantsHelp = false
    private var fromEnvironment: Set<String> = []

    init(command: Command) {
        self.command = command
    }

    mutating func fill(from environment: [String: String]) throws(CommandError) {
        for option in command.options where given[option.name] == nil {
            guard let variable = option.environment, let text = environment[variable], !text.isEmpty else { continue }
            fromEnvironment.insert(option.name)
            if option.value == nil {
                switch text {
                case "1", "yes", "true": given[option.name] = ["yes"]
                case "0", "no", "false": break
                default:
                    throw CommandError(.configuration, "\(variable) is \"\(text)\": it should be yes or no")
                }
            } else {
                given[option.name] = option.repeats ? text.split(separator: ",").map(String.init) : [text]
            }
        }
    }

    /// Whether the command has the option at all.
    package func declares(_ name: String) -> Bool {
        command.options.contains { $0.name == name }
    }

    /// Whether a switch is on.
    package func flag(_ name: String) -> Bool {
        given[name] != nil
    }

    /// Whether the option stands on the command line itself.
    package func isSaid(_ name: String) -> Bool {
        given[name] != nil && !fromEnvironment.contains(name)
    }

    /// Every value of an option, in order.
    package func all(_ name: String) -> [String] {
        given[name] ?? option(name).initial.map { [$0] } ?? []
    }

    /// An option's value, else its default, else nil.
    package func text(_ name: String) -> String? {
        all(name).last
    }

    /// An option's value as a whole number.
    ///
    /// - Throws: `usage` (`configuration` when the environment said it) for anything else.
    package func int(_ name: String, in range: ClosedRange<Int>) throws(CommandError) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bounds =
                range.upperBound == .max ? "from \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            throw fault(name, "should be a whole number, \(bounds)")
        }
        return number
    }

    /// The error for an option whose value is no good: names the option or the variable, and what it held.
    ///
    /// - Parameter value: which of its values, for an option that repeats; nil: the last.
    package func fault(_ name: String, value: String? = nil, _ reason: String) -> CommandError {
        let value = value ?? text(name) ?? ""
        if fromEnvironment.contains(name), let variable = option(name).environment {
            return CommandError(.configuration, "\(variable) is \"\(value)\": it \(reason)")
        }
        return CommandError(.usage, "--\(name) \"\(value)\" \(reason)")
    }

    /// The error for an option whose value somebody else has judged, in whose words.
    package func fault(_ name: String, said reason: String) -> CommandError {
        if fromEnvironment.contains(name), let variable = option(name).environment {
            return CommandError(.configuration, "\(variable): \(reason)")
        }
        return CommandError(.usage, "--\(name): \(reason)")
    }

    private func option(_ name: String) -> Option {
        guard let option = command.options.first(where: { $0.name == name }) else {
            preconditionFailure("the command \(command.name) declares no option --\(name)")
        }
        return option
    }
}
