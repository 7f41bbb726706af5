import Foundation

#if canImport(os)
    import os
#endif

/// Something that the app's developers should know, and are told once.
enum LogCause: Sendable, Hashable {
    /// The endpoint refuses whole requests with this status.
    case refused(status: Int)
    /// The endpoint rejects plays one by one.
    case rejected(code: String, field: String)
    /// No response came.
    case transport(domain: String, code: Int)
    /// A success that no endpoint of ours gives.
    case foreign(status: Int)
    /// A summary alone is too large.
    case tooLarge
    /// A summary has figures that no play can have.
    case unencodable
    /// The first plays arrived.
    case delivered
    /// Nothing can be kept on the disk.
    case storage
}

/// The lines of a sender: once a cause, and each says what to do.
struct SenderLog: Sendable {
    /// So that no endpoint can fill the log with codes of its own.
    private static let limit = 64

    private let write: @Sendable (String) -> Void
    private var said: Set<LogCause> = []

    init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Says a line, unless the cause was said before.
    mutating func say(_ cause: LogCause, _ line: @autoclosure () -> String) {
        guard said.count < Self.limit, said.insert(cause).inserted else { return }
        write("PlaybackMetrics: " + line())
    }

    /// A response, and what became of the batch.
    mutating func note(_ outcome: RequestOutcome, _ response: HTTPClientResponse, count: Int) {
        let status = response.status
        switch outcome {
        case .refused: say(.refused(status: status), "\(Self.plays(count)) dropped: \(Self.line(on: outcome, status))")
        case .tooLarge: say(.tooLarge, "a play dropped: \(Self.line(on: outcome, status))")
        case .foreign: say(.foreign(status: status), "the plays are kept: \(Self.line(on: outcome, status))")
        case .delivered, .rejected:
            noteRejections(EndpointResponse(response.body)?.rejected ?? [])
            guard case .delivered(let rejected) = outcome, count > rejected else { return }
            say(.delivered, "first delivery: \(Self.plays(count - rejected)) accepted.")
        case .halve, .retry: break
        }
    }

    /// No response came.
    mutating func note(_ error: any Error) {
        let code = error as NSError
        say(.transport(domain: code.domain, code: code.code), "the plays are kept: \(Self.line(on: error))")
    }

    static func plays(_ count: Int) -> String {
        count == 1 ? "a play" : "\(count) plays"
    }

    /// What a response means that is none of the endpoint's good ones, and what to do.
    static func line(on outcome: RequestOutcome, _ status: Int) -> String {
        switch outcome {
        case .foreign:
            "status \(status) without the endpoint's response: a hot-spot's page, a firewall's challenge or a web server "
                + "answers in its place. Check the endpoint's address and what lies before it."
        case .tooLarge: "status 413 to a request of one play. Raise the limit of the proxy before the endpoint."
        default: advice(onRefusal: status)
        }
    }

    /// Why no response came, and what to do.
    static func line(on error: any Error) -> String {
        let error = error as NSError
        return "no response: \(error.domain) \(error.code). \(advice(onError: error))"
    }

    private mutating func noteRejections(_ rejections: [EndpointResponse.Rejection]) {
        for rejection in rejections {
            let (code, field) = (rejection.code ?? "no code", rejection.field ?? "")
            say(
                .rejected(code: code, field: field),
                "the endpoint rejected a play: \(code)\(field.isEmpty ? "" : " of \(field)"). Its quarantine has the play; "
                    + "mend what the app sets there.")
        }
    }

    private static func advice(onRefusal status: Int) -> String {
        switch status {
        case 401: "status 401: the endpoint wants a write key. Give the sender one."
        case 403: "status 403: the endpoint does not know the write key. Give the sender one of the endpoint's."
        case 404: "status 404: nothing is at this path. The endpoint's address ends in /v1/playback-events."
        case 405:
            "status 405: what is at this address takes no POST. The endpoint's address ends in /v1/playback-events."
        case 300..<400:
            "status \(status): the address leads elsewhere, and redirects are not followed. Give the final address, https included."
        case 400:
            "status 400: the endpoint can't read the request. A proxy may have changed it, or the endpoint is older."
        case 415: "status 415: the endpoint takes neither this type nor this encoding. Look at the proxy before it."
        default: "status \(status): the endpoint refuses requests. Check its address and what lies before it."
        }
    }

    private static func advice(onError error: NSError) -> String {
        guard error.domain == NSURLErrorDomain else { return "Plays are sent again later." }
        switch error.code {
        case -1022:
            return
                "App Transport Security forbids plain http. Use https, or an exception in the Info.plist for local trials."
        case -1003: return "The endpoint's host name is not found. Check the address."
        case -1004: return "Nothing listens at the endpoint. Check address and port."
        case -1206 ... -1200: return "TLS fails. Check the endpoint's certificate and its chain."
        case -1002, -1000: return "The endpoint's address is no web address."
        case -1009: return "The device is offline. Plays are sent when it no longer is."
        default: return "Plays are sent again later."
        }
    }
}

/// The log of the system.
enum SystemLog {
    #if canImport(os)
        private static let logger = Logger(subsystem: "PlaybackMetrics", category: "sender")
    #endif

    /// Writes a line, which holds nothing that has to be hidden.
    @Sendable static func write(_ line: String) {
        #if canImport(os)
            logger.notice("\(line, privacy: .public)")
        #else
            NSLog("%@", line)
        #endif
    }
}
