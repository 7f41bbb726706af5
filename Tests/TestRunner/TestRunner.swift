import Foundation
import Testing

/// Runs the tests that are compiled into a program without the package manager. The main actor has the main thread, as in an
/// app.
@main
enum TestRunner {
    static func main() {
        Task.detached { await Testing.__swiftPMEntryPoint() as Never }
        while true { RunLoop.main.run() }
    }
}
