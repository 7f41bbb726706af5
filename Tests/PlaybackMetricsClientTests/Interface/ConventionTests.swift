import Foundation
import TestSupport
import Testing

@Suite("The library's sources")
struct ConventionTests {
    private struct Line: CustomStringConvertible {
        var file: String
        var number: Int
        var text: String

        var description: String { "\(file):\(number): \(text)" }
    }

    private let lines: [Line]

    init() throws {
        let files = SwiftCompiler.sources(in: "Sources/PlaybackMetricsClient")
        #expect(files.count > 30)
        lines = try files.flatMap { path in
            let name = path.components(separatedBy: "/PlaybackMetricsClient/").last ?? path
            let text = try String(contentsOfFile: path, encoding: .utf8)
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
                Line(file: name, number: $0.offset + 1, text: $0.element.trimmingCharacters(in: .whitespaces))
            }
        }
    }

    /// Lines of code that match a regular expression, comments left aside.
    private func code(_ pattern: String, in folder: String = "") -> [String] {
        lines.filter { line in
            line.file.hasPrefix(folder) && !line.text.hasPrefix("//")
                && line.text.range(of: pattern, options: .regularExpression) != nil
        }.map(\.description)
    }

    @Test(
        "import Foundation, and where they are the system's log and views; on Linux the network part is a module of its own"
    )
    func imports() {
        #expect(code(#"^(@\w+ )?((public|package|internal) )?import \w+"#).count > 10)
        #expect(
            code(#"^(@\w+ )?((public|package|internal) )?import (?!Foundation$|FoundationNetworking$|os$|SwiftUI$)"#)
                == [])
    }

    @Test("use nothing that is newer than iOS 17")
    func newerThanPlatforms() {
        let newer =
            #"\b(Mutex|Atomic|AtomicLazyReference|InlineArray|Span|RawSpan|MutableSpan|OutputSpan|UTF8Span|"#
            + #"Observations|withTaskPriorityEscalationHandler|NotificationCenter\.Message)\b|isolated deinit|"#
            + #"Task\.immediate|@available|#available|Task\.name|\.systemEpoch"#
        #expect(code(newer) == [])
    }

    @Test("can't bring down the app: nothing in them traps by itself")
    func traps() {
        #expect(code(#"\b(fatalError|precondition|preconditionFailure|assert|assertionFailure)\("#) == [])
        #expect(code(#"\btry!|\bas!|[\w)\]]!(?!=)"#) == [])
        #expect(code(#"\b(print|debugPrint|dump)\("#) == [])
        #expect(code(#"\bunowned\b"#) == [])
    }

    @Test("leave time to those who call the meter")
    func time() {
        #expect(code(#"\bDate\(|ContinuousClock|DispatchTime"#, in: "Meter/") == [])
        #expect(code(#"SuspendingClock"#, in: "Meter/").allSatisfy { $0.hasPrefix("Meter/PlaybackInstant.swift") })
    }

    @Test("measure plays by a clock that stops while the device sleeps, and their age by one that goes on")
    func clocks() {
        #expect(code(#"SuspendingClock\.now"#, in: "Meter/").count == 2)
        #expect(code(#"SuspendingClock"#, in: "Sender/") == [])
        #expect(code(#"ContinuousClock\.now"#, in: "Sender/").count == 2)
    }

    @Test("never cancel a request: on Linux that ends the process")
    func cancelling() {
        #expect(code(#"invalidateAndCancel|dataTask.*cancel"#) == [])
    }
}
