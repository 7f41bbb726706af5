import Foundation

/// What a ``PlaybackMeter`` is told.
public enum PlaybackInput: Sendable, Hashable {
    /// The viewer, or the app for him, asks to play.
    case play
    /// The viewer, or the app for him, asks to pause.
    case pause
    /// The player's status changed.
    case status(PlaybackStatus)
    /// The player jumps to another position.
    case seekBegan
    /// The jump has arrived, or was given up. One end is enough for all seeks begun before it.
    case seekEnded
    /// Playback stopped because the app or the device did.
    case suspended
    /// The bitrate that now plays, in bit/s; `nil`, 0, a negative or no number at all: not known.
    case bitrate(Double?)
    /// The bytes received for this play up to now; a negative number is not known, and ignored.
    case bytes(Int64)
    /// The app's memory footprint in bytes; a negative number is not known, and ignored. Without it the meter takes a
    /// sample when the play closes.
    case memory(Int64)
    /// The player's own account of the startup in milliseconds; a negative number is not known, and ignored.
    case logStartup(Int)
    /// The player's own account of its stalls up to now: how many, and their time in milliseconds; a negative number is
    /// not known, and the account ignored.
    case playerStalls(Int, milliseconds: Int)
    /// The edge that serves the play from now on, as a response of this play has shown.
    case edge(CDNEdge)
    /// Where the video is shown now. It holds until the next one, over the plays of a meter.
    case presentation(PlaybackPresentation)
    /// The player lets the clip go.
    case stop
}

/// What a player is doing.
public enum PlaybackStatus: Sendable, Hashable {
    /// It waits for data.
    case loading
    /// It plays.
    case playing
    /// It wants to play and waits for data.
    case stalled
    /// It does not want to play.
    case paused
    /// It has played to the end.
    case ended
    /// It cannot go on.
    case failed(PlaybackError)
}

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
