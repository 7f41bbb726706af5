internal import Platform

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
        RandomUUID.put(id.0, id.1, at: sender.id, in: &bytes)
        for (position, count) in [(sender.sequence, sequence), (sender.made, made)] {
            bytes.replaceSubrange(position..<position + 9, with: String(Self.leastCount + count).utf8)
        }
    }

    /// Makes it another request: every play gets a new identifier, every session too.
    mutating func renew(using chance: inout SeededGenerator) {
        Self.renew(playIds, sessionIds, in: &bytes, using: &chance)
    }

    /// Writes new identifiers at places of a request.
    static func renew(
        _ playIds: [Int], _ sessionIds: [[Int]], in bytes: inout [UInt8], using chance: inout SeededGenerator
    ) {
        for position in playIds { RandomUUID.put(chance.next(), chance.next(), at: position, in: &bytes) }
        for session in sessionIds {
            let (high, low) = (chance.next(), chance.next())
            for position in session { RandomUUID.put(high, low, at: position, in: &bytes) }
        }
    }
}

/// UUIDs of version 4 (RFC 9562), written where they stand in a request.
enum RandomUUID {
    /// Writes one over the one that stands at a position: 36 bytes, whose dashes are left as they are.
    ///
    /// - Parameters:
    ///   - high: random bits, of which the version takes four.
    ///   - low: random bits, of which the variant takes two.
    static func put(_ high: UInt64, _ low: UInt64, at position: Int, in bytes: inout [UInt8]) {
        var span = bytes.mutableSpan
        var text = span.mutableBytes
        let high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let second = Hexadecimal.digits(ofLow: high)
        let third = Hexadecimal.digits(ofLow: low >> 32)
        text.storeBytes(of: Hexadecimal.digits(ofLow: high >> 32), toByteOffset: position, as: UInt64.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: second), toByteOffset: position + 9, as: UInt32.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: second >> 32), toByteOffset: position + 14, as: UInt32.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: third), toByteOffset: position + 19, as: UInt32.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: third >> 32), toByteOffset: position + 24, as: UInt32.self)
        text.storeBytes(of: Hexadecimal.digits(ofLow: low), toByteOffset: position + 28, as: UInt64.self)
    }
}

/// One play's figures, as the parts of its event.
private struct SamplePlay {
    /// What every event says; begins without a comma.
    let figures: String
    /// Ms before the request.
    let ageMs: Int
    /// Further figures; begins with a comma.
    let details: String
    /// Who served the play; begins with a comma.
    let delivery: String

    /// So many of a thousand plays come hours or days late.
    static let latePerMille = 20
    private static let longestLateness = 7 * 86_400_000

    init(on device: SampleDevice, using chance: inout SeededGenerator) {
        let video = min(
            Int.random(in: 0..<20_000, using: &chance), Int.random(in: 0..<20_000, using: &chance))
        let hasFailed = chance.isOneOf(12)
        let hasStarted = !hasFailed || chance.isOneOf(500)
        let watched = hasStarted ? chance.scattered(around: 20_000) : 0
        let stalls = hasStarted && chance.isOneOf(80) ? Int.random(in: 1...4, using: &chance) : 0
        let stalled = stalls == 0 ? 0 : min(watched, stalls * chance.scattered(around: 700))
        let bitrate = chance.scattered(around: 2_400_000)
        let startup = chance.scattered(around: 380)

        var figures =
            "\"videoId\":\"clip-\(100_000 + video)\",\"stalls\":\(stalls),\"stalledMs\":\(stalled),"
            + "\"watchedMs\":\(watched)"
        if hasStarted { figures += ",\"startupMs\":\(startup),\"avgBitrate\":\(bitrate)" }
        if hasFailed {
            let code = chance.isOneOf(600) ? -12_660 : -12_938
            figures += ",\"error\":{\"domain\":\"CoreMediaErrorDomain\",\"code\":\(code)}"
        }
        self.figures = figures
        ageMs =
            chance.isOneOf(Self.latePerMille)
            ? Int.random(in: 3_600_000..<Self.longestLateness, using: &chance)
            : Int.random(in: 200..<90_000, using: &chance)
        let bytes = (watched + 4_000) * (bitrate / 8_000)
        var details = ",\"bytes\":\(bytes),\"memoryBytes\":\(chance.scattered(around: 210_000_000))"
        details +=
            hasStarted
            ? ",\"accessLogStartupMs\":\(max(0, startup - Int.random(in: 0..<60, using: &chance)))"
            : ",\"waitedMs\":\(chance.scattered(around: 3_000))"
        if hasFailed, chance.isOneOf(300) { details += ",\"attempt\":2" }
        self.details = details
        delivery =
            ",\"cdn\":\"\(device.cdn)\",\"cdnRegion\":\"\(device.region)\",\"network\":\"\(device.network)\""
    }
}

/// A device that sends a request: what all of its plays share, and the network that it is in.
private struct SampleDevice {
    let senderId: String
    let context: String
    private(set) var cdn: String
    private(set) var region: String
    private(set) var network: String

    private static let regions = [
        "eu-west", "eu-north", "eu-central", "us-east", "us-west", "us-central", "sa-east", "ap-south", "ap-northeast",
        "ap-southeast", "me-central", "af-south",
    ]
    private static let models = ["iPhone15,2", "iPhone16,1", "iPhone14,5", "iPad13,4", "AppleTV14,1", "iPhone12,8"]

    init(using chance: inout SeededGenerator) {
        var id = [UInt8](repeating: UInt8(ascii: "-"), count: 36)
        RandomUUID.put(chance.next(), chance.next(), at: 0, in: &id)
        senderId = String(decoding: id, as: UTF8.self)
        let minor = Int.random(in: 0..<6, using: &chance)
        let model = Self.models[Int.random(in: 0..<Self.models.count, using: &chance)]
        let arm = chance.isOneOf(500) ? "id_scoped_pool" : "reuse_pool"
        context =
            "\"source\":\"stream\",\"appVersion\":\"5.\(minor).0\",\"osVersion\":\"iOS 18.\(minor / 2)\","
            + "\"deviceModel\":\"\(model)\",\"player\":\"AVPlayer\","
            + "\"tags\":{\"lifecycle\":\"\(arm)\",\"preloaded\":\"yes\"}"
        cdn = chance.isOneOf(700) ? "fastly" : "cloudfront"
        // Regions are of very different size.
        let first = Int.random(in: 0..<Self.regions.count, using: &chance)
        region = Self.regions[min(first, Int.random(in: 0..<Self.regions.count, using: &chance))]
        network = chance.isOneOf(650) ? "wifi" : "cellular"
    }

    /// Between two plays a device may change its network.
    mutating func move(using chance: inout SeededGenerator) {
        if chance.isOneOf(30) { network = network == "wifi" ? "cellular" : "wifi" }
    }
}
