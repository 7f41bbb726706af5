/// A whole HTTP request, head and body, ready to be sent again and again with new identifiers.
struct RequestTemplate: Sendable {
    let bytes: [UInt8]
    let events: Int
    let playIds: [Int]
    let sessionIds: [[Int]]

    init(_ body: SampleBody, path: String) {
        let head =
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
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
        _ count: Int = 64, events: Int, form: SampleBody.Form, path: String = "/v1/playback-events", seed: UInt64 = 1
    ) -> [RequestTemplate] {
        var chance = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            RequestTemplate(SampleBody(events: events, form: form, using: &chance), path: path)
        }
    }
}
