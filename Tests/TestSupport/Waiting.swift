import Foundation

/// What a test waited for in vain.
package struct WaitedInVain: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Asks again and again until it is so.
///
/// - Parameter what: the end of the sentence "… s were not enough for", for the failure.
/// - Throws: ``WaitedInVain`` after the deadline, and what the question throws.
package func waitUntil(
    _ what: String, seconds: Double = 30, everyMs: UInt32 = 20, _ isSo: () throws -> Bool
) throws {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while try !isSo() {
        guard Date() < deadline else { throw WaitedInVain("\(seconds) s were not enough for \(what)") }
        usleep(everyMs * 1_000)
    }
}
