import Foundation
import PlaybackMetricsClient

/// Which of the many codes of a failure is the one that tells most.
enum FailureCode {
    /// An entry of an item's error log.
    struct LogEntry: Sendable, Hashable {
        var domain: String
        var code: Int
    }

    /// The deepest underlying error that has a code; else the log's last entry that has one; else the error itself, which
    /// commonly says no more than AVFoundation's −11800.
    ///
    /// - Parameters:
    ///   - error: the error of the item or of the notification.
    ///   - log: the item's error log.
    ///   - isLettingGo: the player has let the item go: then a cancelled request is no failure.
    /// - Returns: `nil` for what is no failure.
    static func choose(_ error: (any Error)?, log: [LogEntry], isLettingGo: Bool) -> PlaybackError? {
        let chosen = code(of: error, log: log)
        return isLettingGo && chosen.code == NSURLErrorCancelled
            ? nil : PlaybackError(domain: chosen.domain, code: chosen.code)
    }

    private static func code(of error: (any Error)?, log: [LogEntry]) -> LogEntry {
        let chain = underlying(error)
        if let deepest = chain.dropFirst().last(where: { $0.code != 0 }) { return deepest }
        if let logged = log.last(where: { $0.code != 0 }) { return logged }
        return chain.first ?? LogEntry(domain: "AVFoundationErrorDomain", code: -11800)
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
