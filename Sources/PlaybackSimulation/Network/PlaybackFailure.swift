internal import PlaybackMetricsClient

/// Why a play fails, and the domain and number that AVFoundation reports for it.
///
/// CoreMedia's numbers are in no header; these are the ones that players' error logs show for each cause.
enum PlaybackFailure: Sendable, Hashable, CaseIterable {
    /// 403: a signature has expired, or the viewer is in the wrong country.
    case forbidden
    /// 404.
    case notFound
    /// 5xx for every variant: nothing is left to try.
    case noVariantLeft
    /// The edge has not answered for a segment in time.
    case noResponse
    /// The playlist can't be parsed.
    case playlistUnreadable
    case timedOut
    case connectionLost
    case cannotConnect
    case hostNotFound
    /// The device has no network.
    case offline
    /// The format is none that the device plays.
    case formatUnreadable
    /// The system's media services were reset.
    case mediaServicesReset
    /// What AVFoundation says when it does not know.
    case unknown

    var error: PlaybackError {
        switch self {
        case .forbidden: PlaybackError(domain: "CoreMediaErrorDomain", code: -12660)
        case .notFound: PlaybackError(domain: "CoreMediaErrorDomain", code: -12938)
        case .noVariantLeft: PlaybackError(domain: "CoreMediaErrorDomain", code: -12880)
        case .noResponse: PlaybackError(domain: "CoreMediaErrorDomain", code: -12889)
        case .playlistUnreadable: PlaybackError(domain: "CoreMediaErrorDomain", code: -12642)
        case .timedOut: PlaybackError(domain: "NSURLErrorDomain", code: -1001)
        case .hostNotFound: PlaybackError(domain: "NSURLErrorDomain", code: -1003)
        case .cannotConnect: PlaybackError(domain: "NSURLErrorDomain", code: -1004)
        case .connectionLost: PlaybackError(domain: "NSURLErrorDomain", code: -1005)
        case .offline: PlaybackError(domain: "NSURLErrorDomain", code: -1009)
        case .formatUnreadable: PlaybackError(domain: "AVFoundationErrorDomain", code: -11828)
        case .mediaServicesReset: PlaybackError(domain: "AVFoundationErrorDomain", code: -11819)
        case .unknown: PlaybackError(domain: "AVFoundationErrorDomain", code: -11800)
        }
    }

    /// Whether the same clip fails in the same way when it is tried again at once.
    var staysWithClip: Bool {
        switch self {
        case .forbidden, .notFound, .playlistUnreadable, .formatUnreadable: true
        default: false
        }
    }
}
