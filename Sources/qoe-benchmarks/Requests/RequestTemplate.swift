/// A whole HTTP request, head and body, ready to be sent again and again with new identifiers.
struct RequestTemplate: Sendable {
    let bytes: [UInt8]
    let events: Int
    let playIds: [Int]
    let sessionIds: [[Int]]

    /// - Parameter key: a write key that goes along.
    init(_ body: SampleBody, path: String, key: String? = nil) {
        let access = key.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let head =
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(access)Content-Type: application/json\r\n"
            + "Content-Length: \(body.bytes.count)\r\n\r\n"
        let shift = head.utf8.count
        bytes = Array(head.utf8) + body.bytes
        events = body.events
        playIds = body.playIds.map { $0 + shift }
        sessionIds = body.sessionIds.map { places in places.map { $0 + shift } }
    }

    /// A request without anything to renew.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        events = 0
        playIds = []
        sessionIds = []
    }

    /// As many different ones as make a compressor forget the first before it comes again.
    static func several(
        _ count: Int = 64, events: Int, form: SampleBody.Form, path: String = "/v1/playback-events",
        key: String? = nil, seed: UInt64 = 1
    ) -> [RequestTemplate] {
        several(count, events: events...events, form: form, path: path, key: key, seed: seed)
    }

    /// - Parameter events: how many a request has, each number as often as another.
    static func several(
        _ count: Int = 64, events: ClosedRange<Int>, form: SampleBody.Form, path: String = "/v1/playback-events",
        key: String? = nil, seed: UInt64 = 1
    ) -> [RequestTemplate] {
        var chance = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            let events = events.lowerBound + number % events.count
            return RequestTemplate(SampleBody(events: events, form: form, using: &chance), path: path, key: key)
        }
    }
}
