internal import Archive
internal import PlaybackEvents

/// Requests in the order in which a server would receive them, as bodies or as the archive's lines.
struct SampleLog {
    private var bodies: [SampleBody]
    private var chance: SeededGenerator
    private let digits = HexadecimalDigits()
    private var next = 0
    private(set) var plays = 0
    /// When the next request is received, ms since 1970.
    private var receivedAt: Double
    private let millisecondsPerPlay: Double

    /// 2026-11-01T00:00:00Z.
    static let beginning = 1_793_491_200_000.0

    /// - Parameter playsPerDay: how fast time passes.
    init(events: Int = 50, form: SampleBody.Form = .full, playsPerDay: Double = 1_000_000, seed: UInt64 = 1) {
        var chance = SeededGenerator(seed: seed)
        bodies = (0..<256).map { _ in SampleBody(events: events, form: form, using: &chance) }
        self.chance = chance
        receivedAt = Self.beginning
        millisecondsPerPlay = 86_400_000 / playsPerDay
    }

    /// The next request's body, with identifiers that no other has.
    mutating func nextBody() -> (bytes: [UInt8], receipt: Receipt) {
        let index = next % bodies.count
        next += 1
        bodies[index].renew(using: &chance, digits)
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
