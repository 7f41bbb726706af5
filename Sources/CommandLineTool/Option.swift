/// One long option of a command.
package struct Option: Sendable {
    /// Without the dashes.
    package let name: String
    /// What stands for the value in the help; nil for a switch.
    package let value: String?
    /// The environment variable that sets it when the command line does not.
    package let environment: String?
    /// May be given more than once (from the environment: separated by commas).
    package let repeats: Bool
    /// Said in the help, and used when nothing else sets the option.
    package let initial: String?
    package let help: String

    package init(
        _ name: String, _ value: String? = nil, environment: String? = nil, repeats: Bool = false,
        initial: String? = nil, help: String
    ) {
        self.name = name
        self.value = value
        self.environment = environment
        self.repeats = repeats
        self.initial = initial
        self.help = help
    }
}
