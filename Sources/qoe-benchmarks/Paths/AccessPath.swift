internal import HTTPServing
internal import Ingest

/// Reading a request's head and judging its key, on one core.
enum AccessPath {
    /// The key that loads on a server send, too.
    static let key = "0b9e6a52c87d4f1f9a34de6177d0c4aa5e1b43c2b8f90213"
    /// A key file with the key as the last of eight.
    static let keyFile = (0..<7).map { "other\($0) another-key-of-somebody-\($0)\n" }.joined() + "app \(key)\n"

    static func measure(requests: Int, rounds: Int, into table: inout ResultTable) throws {
        var chance = SeededGenerator(seed: 1)
        let request = RequestTemplate(
            SampleBody(events: 1, form: .full, using: &chance), path: "/v1/playback-events", key: key)
        guard let head = try parsed(request) else { throw PeerFailure(description: "the sample's head is not whole") }
        let access = SharedAccess(
            AccessRules(
                writeKeys: try KeyRing(text: keyFile), readKeys: KeyRing(), allowsAnonymous: false,
                listensOnLoopback: true))
        guard access.verdict(for: .write, head) == .allowed(keyName: "app") else {
            throw PeerFailure(description: "the sample's key is not let in")
        }
        let times = try Rounds(
            rounds,
            [
                { for _ in 0..<requests { _ = try parsed(request) } },
                { for _ in 0..<requests { _ = access.verdict(for: .write, head) } },
            ])
        table.add("reading a request's head", "\(figure(times.median(0) / Double(requests) * 1e9)) ns")
        table.add("judging its key, one of eight", "\(figure(times.median(1) / Double(requests) * 1e9)) ns")
    }

    private static func parsed(_ request: RequestTemplate) throws -> HTTPRequestHead? {
        try request.bytes.withUnsafeBytes { bytes in
            var parser = HTTPHeadParser(peer: .loopback)
            return try parser.parse(bytes)
        }
    }
}
