internal import Archive
internal import PlaybackEvents

/// Requests in the order in which a server would receive them, as bodies or as the archive's lines.
struct SampleLog {
    private var bodies: [SampleBody]
    private var chance: SeededGenerator
    private var next = 0
    private(set) var plays = 0
    /// When the next request is received, ms since 1970.
    private var receivedAt: Double
    private let millisecondsPerPlay: Double
    let playsPerDay: Int
    /// What each device has sent.
    private var senders: [Sender]

    private struct Sender {
        var id: (UInt64, UInt64)
        var requests = 0
        var plays = 0
    }

    /// 2026-11-01T00:00:00Z.
    static let beginning = 1_793_491_200_000.0
    /// Devices that send.
    private static let devices = 50_000

    /// - Parameters:
    ///   - events: of a request, each number as often as another.
    ///   - sessionPlays: how many plays share a session in the mean.
    ///   - playsPerDay: how fast time passes.
    ///   - beginning: when the first request is received, ms since 1970.
    init(
        events: ClosedRange<Int> = 50...50, form: SampleBody.Form = .full, sessionPlays: Int = 16,
        playsPerDay: Int = 1_000_000, beginning: Double = Self.beginning, seed: UInt64 = 1
    ) {
        var chance = SeededGenerator(seed: seed)
        let least = sessionPlays / 4
        let plays = sessionPlays == 1 ? 1...1 : least...2 * sessionPlays - least
        // As many plays in all, so that no compressor has seen one lately.
        bodies = (0..<256 * max(1, 50 / events.upperBound)).map { number in
            let events = events.lowerBound + number % events.count
            return SampleBody(events: events, form: form, sessionPlays: plays, using: &chance)
        }
        senders = (0..<Self.devices).map { _ in Sender(id: (chance.next(), chance.next())) }
        self.chance = chance
        self.playsPerDay = playsPerDay
        receivedAt = beginning
        millisecondsPerPlay = 86_400_000 / Double(playsPerDay)
    }

    /// The next request's body, with identifiers that no other has.
    mutating func nextBody() -> (bytes: [UInt8], receipt: Receipt) {
        let index = next % bodies.count
        next += 1
        bodies[index].renew(using: &chance)
        let device = Int.random(in: senders.indices, using: &chance)
        senders[device].requests += 1
        senders[device].plays += bodies[index].events
        bodies[index].setSender(
            senders[device].id, sequence: senders[device].requests, made: senders[device].plays)
        plays += bodies[index].events
        receivedAt += Double(bodies[index].events) * millisecondsPerPlay
        let receipt = Receipt(
            receivedAt: Int64(receivedAt), requestId: Identifier128(high: chance.next(), low: chance.next()))
        return (bodies[index].bytes, receipt)
    }

    /// The bytes of an event in the mean.
    var eventBytes: Double {
        Double(bodies.reduce(0) { $0 + $1.eventBytes }) / Double(bodies.reduce(0) { $0 + $1.events })
    }

    /// Appends the archive's lines of the next request.
    ///
    /// - Returns: when it was received, ms since 1970.
    mutating func appendLines(to lines: inout [UInt8]) throws -> Int64 {
        let (body, receipt) = nextBody()
        ArchiveLine.append(try RequestDecoder.decode(body, receipt: receipt), to: &lines)
        return receipt.receivedAt
    }
}
