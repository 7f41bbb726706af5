/// A request's body as an app's clients send it, which can be made another request's by giving its plays and sessions new
/// identifiers.
struct SampleBody: Sendable {
    /// How much an event says.
    enum Form: String, Sendable, CaseIterable {
        /// Every field, about 360 bytes an event; what the plays of one device share stands in the context.
        case full
        /// What a report can't do without, about 160 bytes.
        case small
    }

    var bytes: [UInt8]
    let events: Int
    /// Where identifiers of plays stand.
    private(set) var playIds: [Int] = []
    /// Where identifiers of sessions stand: plays that lie in one group share one.
    private(set) var sessionIds: [[Int]] = []

    /// Where the sender's identifier and its two counts stand.
    private var sender = (id: 0, sequence: 0, made: 0)

    /// The bytes of the events alone.
    private(set) var eventBytes = 0

    /// - Parameter sessionPlays: how many plays share a session, each number as likely as another.
    init(
        events: Int, form: Form, sessionPlays: ClosedRange<Int> = 4...28, using chance: inout SeededGenerator
    ) {
        self.events = events
        bytes = []
        var device = SampleDevice(using: &chance)
        add("{\"schemaVersion\":1,\"context\":{\(form == .full ? device.context : "")},")
        add("\"sender\":{\"senderId\":\"")
        sender.id = bytes.count
        add("\(device.senderId)\",\"sequence\":")
        sender.sequence = bytes.count
        add("\(Self.leastCount + Int.random(in: 0..<500, using: &chance)),\"made\":")
        sender.made = bytes.count
        add("\(Self.leastCount + 24_000),\"dropped\":3,\"rejected\":0},\"events\":[")
        var left = 0
        for index in 0..<events {
            if left == 0 {
                left = Int.random(in: sessionPlays, using: &chance)
                sessionIds.append([])
            }
            left -= 1
            if index > 0 { add(",") }
            let start = bytes.count
            add(SamplePlay(on: device, using: &chance), form)
            eventBytes += bytes.count - start
            device.move(using: &chance)
        }
        add("]}")
        renew(using: &chance)
    }

    private mutating func add(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func add(_ play: SamplePlay, _ form: Form) {
        let anyId = "00000000-0000-0000-0000-000000000000"
        add("{" + play.figures)
        add(",\"playId\":\"")
        playIds.append(bytes.count)
        add(anyId)
        add("\",\"ageMs\":\(play.ageMs)")
        if form == .full {
            add(play.details)
            add(",\"sessionId\":\"")
            sessionIds[sessionIds.count - 1].append(bytes.count)
            add(anyId)
            add("\"" + play.delivery)
        }
        add("}")
    }

    /// All counts of a sender have nine digits.
    private static let leastCount = 100_000_000

    /// Makes it another sender's.
    ///
    /// - Parameters:
    ///   - sequence: how many requests the sender has sent.
    ///   - made: how many plays.
    mutating func setSender(_ id: (UInt64, UInt64), sequence: Int, made: Int) {
        bytes.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            RandomUUID.put(id.0, id.1, at: base + sender.id)
        }
        for (place, count) in [(sender.sequence, sequence), (sender.made, made)] {
            bytes.replaceSubrange(place..<place + 9, with: String(Self.leastCount + count).utf8)
        }
    }

    /// Makes it another request: every play gets a new identifier, every session too.
    mutating func renew(using chance: inout SeededGenerator) {
        bytes.withUnsafeMutableBytes { bytes in
            Self.renew(playIds, sessionIds, in: bytes, using: &chance)
        }
    }

    /// Writes new identifiers at places in memory.
    static func renew(
        _ playIds: [Int], _ sessionIds: [[Int]], in bytes: UnsafeMutableRawBufferPointer,
        using chance: inout SeededGenerator
    ) {
        guard let base = bytes.baseAddress else { return }
        for place in playIds { RandomUUID.put(chance.next(), chance.next(), at: base + place) }
        for session in sessionIds {
            let (high, low) = (chance.next(), chance.next())
            for place in session { RandomUUID.put(high, low, at: base + place) }
        }
    }
}
