import Foundation

/// What an endpoint's body says of the plays that it refused one by one.
enum ServerAnswer {
    private struct Body: Decodable {
        var error: String?
        var rejected: [Rejection]?
    }

    private struct Rejection: Decodable {}

    /// How many of a batch of `count` were rejected alone; 0 when the body does not say.
    static func rejected(in body: Data, of count: Int) -> Int {
        let answer = try? JSONDecoder().decode(Body.self, from: body)
        return min(answer?.rejected?.count ?? 0, count)
    }

    /// Whether the body says that every single play was rejected.
    static func rejectsAll(_ body: Data) -> Bool {
        (try? JSONDecoder().decode(Body.self, from: body))?.error == "all_rejected"
    }
}
