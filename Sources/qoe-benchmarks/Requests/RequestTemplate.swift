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
        sessionIds = body.sessionIds.map { positions in positions.map { $0 + shift } }
    }

    /// What a player that speaks CMCD sends: some reports of one session, whose identifier is new each time.
    ///
    /// - Parameter reports: lines of the body, 1 to 5.
    init(reports: Int, clip: Int) {
        let states: [(String, Int64)] = [("s", 0), ("p", 412), ("r", 9_870), ("p", 10_903), ("e", 20_004)]
        let anyId = "00000000-0000-0000-0000-000000000000"
        var body: [UInt8] = []
        var positions: [Int] = []
        for (number, state) in states.prefix(reports).enumerated() {
            body += Array(
                "bl=(\(4_200 + clip)),br=(2100;v 128;a),cid=\"clip-\(clip)\",e=ps,sf=h,sid=\"".utf8)
            positions.append(body.count)
            body += Array(
                "\(anyId)\",sn=\(number),st=v,sta=\(state.0),ts=\(1_796_082_824_369 + state.1),v=2\n".utf8)
        }
        let head =
            "POST /v1/cmcd?cdn=fastly&cdnRegion=eu-west&player=hls.js HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            + "Content-Type: application/cmcd\r\nContent-Length: \(body.count)\r\n\r\n"
        bytes = Array(head.utf8) + body
        events = reports
        playIds = []
        sessionIds = [positions.map { $0 + head.utf8.count }]
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
