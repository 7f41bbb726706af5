import Foundation
import PlaybackMetricsClient

/// Which of the many codes of a failure is the one that tells most.
enum FailureCode {
    /// An entry of an item's error log.
    struct LogEntry: Sendable, Hashable {
        var domain: String
        var code: Int
        /// What it shows of the edge that failed.
        var evidence = EdgeEvidence()
    }

    /// Entries with these codes of CoreMedia are warnings: a variant is larger than it says, a live playlist did not change,
    /// a segment is late. The player goes on after them.
    private static let warnings: Set<Int> = [-12318, -12888, -12889]

    /// What AVFoundation says when it says nothing.
    private static let empty = LogEntry(domain: "AVFoundationErrorDomain", code: -11800)

    /// The code that an error tells: its own, unless that is the empty −11800; then that of the deepest underlying error
    /// that says something else.
    ///
    /// - Returns: `nil` when the error says nothing.
    static func told(by error: (any Error)?) -> LogEntry? {
        let chain = underlying(error)
        guard let first = chain.first else { return nil }
        if first != empty, first.code != 0 { return first }
        guard var index = chain.lastIndex(where: { $0 != empty && $0.code != 0 }) else { return nil }
        // A private domain that repeats the number of the one above it says nothing else.
        while index > 0, chain[index - 1].code == chain[index].code { index -= 1 }
        return chain[index]
    }

    /// The last entry that can have ended a play.
    static func fatal(in log: some BidirectionalCollection<LogEntry>) -> LogEntry? {
        log.last { $0.code != 0 && $0.code != NSURLErrorCancelled && !warnings.contains($0.code) }
    }

    /// The code of a failure, and whether the item's log may know a better one.
    ///
    /// - Parameters:
    ///   - error: the error of the item or of the notification.
    ///   - isLettingGo: the player has let the item go: then a cancelled request is no failure.
    /// - Returns: `nil` for what is no failure.
    static func choose(_ error: (any Error)?, isLettingGo: Bool) -> (error: PlaybackError, isVague: Bool)? {
        let told = told(by: error)
        if isLettingGo, told?.code == NSURLErrorCancelled { return nil }
        let chosen = told ?? empty
        return (PlaybackError(domain: chosen.domain, code: chosen.code), told == nil)
    }

    /// The error and what lies under it, outermost first. Cut at 16: an error may lie under itself.
    private static func underlying(_ error: (any Error)?) -> [LogEntry] {
        var chain: [LogEntry] = []
        var next = error.map { $0 as NSError }
        while let error = next, chain.count < 16 {
            chain.append(LogEntry(domain: error.domain, code: error.code))
            next = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        }
        return chain
    }
}
