internal import Glibc

/// Requests of one player to one edge over one link: when they are answered, and how.
struct EdgeDelivery: Sendable {
    /// What is asked for.
    enum Request: Sendable {
        case playlist
        case segment(bytes: Int)
    }

    /// An answer: its time in ms since 1970, and what is wrong with it.
    struct Answer: Sendable {
        var time: Int64
        var failure: PlaybackFailure?
    }

    /// A player gives a request up after this long, in ms.
    private static let patience: Int64 = 40_000
    /// What an edge sends to one viewer at most, in bit/ms, when it is well.
    private static let edgeThroughput = 30_000.0

    let region: EdgeRegion
    let cdn: String

    private var link: AccessLink
    private let trouble: EdgeTrouble?
    private var chance: Chance
    private var lastUse: Int64?

    init(from region: EdgeRegion, cdn: String, over link: AccessLink, trouble: EdgeTrouble?, chance: Chance) {
        self.region = region
        self.cdn = cdn
        self.link = link
        self.trouble = trouble
        self.chance = chance
    }

    /// Asks for a part of a clip.
    ///
    /// - Parameter popularity: 0 for the clip that most watch, up to 1 for the one that fewest do: the edge may have to
    ///   fetch it first.
    mutating func answer(_ request: Request, popularity: Double, at time: Int64) -> Answer {
        if link.isOffline(at: time), chance.happens(0.6) {
            return Answer(time: time + Int64(chance.uniform(10, 60)), failure: .offline)
        }
        let severity = trouble?.severity(in: region.name, of: cdn, at: time) ?? 0
        let distance = (link.roundTrip + region.roundTrip) * (1 + 2 * severity)
        let roundTrip = distance * chance.logNormal(median: 1, sigma: 0.2)
        let isCold = lastUse.map { time - $0 > 45_000 } ?? true
        var delay = roundTrip + thinkingTime(popularity, severity)
        if isCold { delay += connecting(roundTrip) }

        if let failure = fault(in: request, severity, isCold: isCold) {
            let takes = failure == .timedOut || failure == .noResponse ? chance.uniform(8_000, 25_000) : delay
            return Answer(time: time + Int64(takes), failure: failure)
        }
        let bytes: Int
        switch request {
        case .playlist: bytes = 6_000
        case .segment(let size): bytes = size
        }
        if isCold { delay += slowStart(of: bytes, roundTrip) }
        let ceiling =
            Self.edgeThroughput * exp(-3.45 * severity) * chance.logNormal(median: 1, sigma: 0.2 + 0.5 * severity)
        let sent = time + Int64(delay.rounded(.up))
        guard let arrives = link.arrival(of: Double(bytes) * 8, from: sent, ceiling: ceiling, limit: Self.patience)
        else {
            lastUse = nil
            let failure: PlaybackFailure = link.isOffline(at: sent) ? .connectionLost : .noResponse
            return Answer(time: sent + Self.patience, failure: failure)
        }
        lastUse = arrives
        return Answer(time: arrives, failure: nil)
    }

    /// Until the first byte leaves the edge, in ms: at once from its cache, else after asking the origin.
    private mutating func thinkingTime(_ popularity: Double, _ severity: Double) -> Double {
        let misses = 0.02 + 0.16 * popularity * popularity + 0.25 * severity
        guard chance.happens(misses) else { return chance.logNormal(median: 7, sigma: 0.6) }
        return chance.logNormal(median: 190 * (1 + severity), sigma: 0.65)
    }

    /// Name, connection and encryption for a new connection, in ms.
    private mutating func connecting(_ roundTrip: Double) -> Double {
        let name = chance.happens(0.35) ? chance.logNormal(median: 45, sigma: 0.8) : 2
        return name + 2 * roundTrip
    }

    /// What a new connection loses while it finds out how fast it may send: it doubles from 10 packets a round trip.
    private func slowStart(of bytes: Int, _ roundTrip: Double) -> Double {
        max(0, log2(Double(bytes) / 14_600)) * roundTrip * 0.6
    }

    private mutating func fault(in request: Request, _ severity: Double, isCold: Bool) -> PlaybackFailure? {
        let usual =
            switch request {
            case .playlist: 0.0019
            case .segment: 0.0006
            }
        guard chance.happens(usual * region.faults * (1 + 16 * severity)) else { return nil }
        lastUse = nil
        if chance.happens(severity) {
            return chance.pick([(5, .noVariantLeft), (4, .noResponse), (1, .cannotConnect)])
        }
        let connecting: [(weight: Double, value: PlaybackFailure)] =
            isCold ? [(8, .hostNotFound), (8, .cannotConnect)] : []
        return chance.pick(
            connecting + [
                (20, .noResponse), (18, .forbidden), (16, .notFound), (12, .timedOut), (12, .connectionLost),
                (7, .noVariantLeft), (5, .unknown), (2, .mediaServicesReset),
            ])
    }
}
