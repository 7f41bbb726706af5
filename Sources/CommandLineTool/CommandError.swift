/// What ends a command early: one line for standard error, and the exit code.
package struct CommandError: Error, Sendable, Equatable {
    package let code: ExitCode
    package let message: String

    package init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
