import Foundation

/// The fatal error that ended a play: a code for counting, without any text that a person could read something in.
public struct PlaybackError: Error, Sendable, Hashable {
    /// Where an error comes from.
    enum Origin: Sendable, Hashable {
        /// A number of a domain, as Apple's frameworks have them.
        case code(domain: PlaybackLabel, Int)
        /// A word that stands alone.
        case word(PlaybackLabel)
    }

    let origin: Origin

    /// An error of a domain, such as −12660 of `CoreMediaErrorDomain`.
    ///
    /// A domain that is no identifier, or longer than 64 bytes, is sent as `other`.
    public init(domain: String, code: Int) {
        origin = .code(domain: PlaybackLabel(Token.accepts(domain, limit: 64) ? domain : "") ?? "other", code)
    }

    /// An error that a word names, of letters, digits and punctuation, 64 bytes at most; whatever else a label holds becomes
    /// `_`.
    public init(_ word: PlaybackLabel) {
        origin = .word(PlaybackLabel(Token.nearest(to: word.text, limit: 64)) ?? word)
    }

    /// The domain and the code of an error; its texts and its user information are left behind.
    public init(_ error: any Error) {
        if let error = error as? PlaybackError {
            self = error
            return
        }
        let error = error as NSError
        self.init(domain: error.domain, code: error.code)
    }
}

extension PlaybackError: CustomStringConvertible {
    /// The code as reports print it: `CoreMediaErrorDomain#-12660`, or the word.
    public var description: String {
        switch origin {
        case .code(let domain, let code): "\(domain.text)#\(code)"
        case .word(let word): word.text
        }
    }
}
