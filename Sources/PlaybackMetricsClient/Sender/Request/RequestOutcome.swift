import Foundation

/// What a response means for the batch that it answers.
enum RequestOutcome: Sendable, Hashable {
    /// The endpoint has it; never sent again. Some of it may have been rejected alone.
    case delivered(rejected: Int)
    /// The endpoint refuses it and would again: dropped.
    case refused
    /// The endpoint rejected every single play of it.
    case rejected
    /// Too large: sent again in halves.
    case halve
    /// Too large though it is one summary: dropped.
    case tooLarge
    /// Kept, and sent again later.
    case retry
    /// A success that no endpoint of ours gives: a hot-spot's page, a firewall's challenge. Kept, and sent again later.
    case foreign

    /// The meaning of a response.
    ///
    /// - Parameters:
    ///   - response: the response, `nil` when none came.
    ///   - count: the number of summaries in the batch.
    init(_ response: HTTPClientResponse?, count: Int) {
        // Nobody knows whether the endpoint has it: the play's id makes repeating harmless.
        guard let response else {
            self = .retry
            return
        }
        switch response.status {
        case 200..<300:
            let own = EndpointResponse(response.body)
            guard own?.accepted != nil else {
                self = .foreign
                return
            }
            self = .delivered(rejected: min(own?.rejected?.count ?? 0, count))
        case 400:
            self = EndpointResponse(response.body)?.error == "all_rejected" ? .rejected : .refused
        // The request did not arrive in time; too many for now.
        case 408, 429: self = .retry
        case 413: self = count > 1 ? .halve : .tooLarge
        // The server will never be able to.
        case 501, 505: self = .refused
        // The server can't now.
        case 500..<600: self = .retry
        // Ours to mend, or somebody else's server: redirects are not followed.
        default: self = .refused
        }
    }
}

/// What an endpoint's body says.
struct EndpointResponse: Decodable {
    /// A play that was rejected alone.
    struct Rejection: Decodable, Hashable {
        var code: String?
        var field: String?
    }

    var accepted: Int?
    var rejected: [Rejection]?
    var error: String?
    var version: String?

    /// `nil` for a body that is no JSON object.
    init?(_ body: Data) {
        guard let decoded = try? JSONDecoder().decode(Self.self, from: body) else { return nil }
        self = decoded
    }

    private enum Key: CodingKey {
        case accepted, rejected, error, version
    }

    /// Whatever is of another type counts as absent, so that one odd field does not hide the others.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        accepted = try? container.decode(Int.self, forKey: .accepted)
        rejected = try? container.decode([Rejection].self, forKey: .rejected)
        error = try? container.decode(String.self, forKey: .error)
        version = try? container.decode(String.self, forKey: .version)
    }
}
