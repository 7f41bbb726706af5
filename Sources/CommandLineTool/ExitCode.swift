/// How a command ends; the numbers of sysexits.h where one fits.
package struct ExitCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let success = ExitCode(rawValue: 0)
    /// A check looked and found something wrong.
    package static let checkFailed = ExitCode(rawValue: 1)
    /// The command line is not one that the command knows.
    package static let usage = ExitCode(rawValue: 64)
    /// Input was read, and is not what it should be.
    package static let badData = ExitCode(rawValue: 65)
    /// Input is not there.
    package static let noInput = ExitCode(rawValue: 66)
    /// A server or store that is needed does not answer.
    package static let unavailable = ExitCode(rawValue: 69)
    /// Output can't be made.
    package static let cannotCreate = ExitCode(rawValue: 73)
    /// Reading or writing failed.
    package static let inputOutput = ExitCode(rawValue: 74)
    /// Somebody else is at it: try again later.
    package static let busy = ExitCode(rawValue: 75)
    /// A configuration file or environment variable is wrong.
    package static let configuration = ExitCode(rawValue: 78)
}
