internal import CommandLineTool
import Foundation
internal import Reports

extension CommonOptions {
    static let errorClasses = Option(
        "error-classes", "FILE", environment: "QOE_ERROR_CLASSES",
        help: "More rules of what kind of trouble an error code is, before the program's own: a line CODE CLASS, "
            + "the class one of \(ErrorClasses.Kind.allCases.map(\.rawValue).joined(separator: ", ")); CODE may "
            + "end in *. Failures of viewers who were offline accuse nobody.")

    /// The classes in the file that ``errorClasses`` names, before the program's own; these alone when nothing is said.
    ///
    /// - Parameters:
    ///   - missing: the exit code where the file can't be read.
    ///   - wrong: where a line of it is no rule.
    static func errorClasses(
        _ arguments: Arguments, missing: ExitCode = .noInput, wrong: ExitCode = .badData
    ) throws(CommandError) -> ErrorClasses {
        guard let path = arguments.text(errorClasses.name) else { return .standard }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError(missing, "can't read the error classes in \(path)")
        }
        do throws(ReportRequestError) {
            return try ErrorClasses(table: String(decoding: data, as: UTF8.self))
        } catch {
            throw CommandError(wrong, "\(path): \(error.description)")
        }
    }
}
