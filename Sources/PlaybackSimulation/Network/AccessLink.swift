internal import Glibc
internal import PlaybackMetricsClient

/// A device's link for one session: throughput that changes from spell to spell, some of them fades.
///
/// What comes when is drawn from a source of its own, so it does not depend on what the player does.
struct AccessLink: Sendable {
    /// A stretch of time with one throughput.
    private struct Spell {
        let begin: Int64
        /// In bit/ms; 0: no network.
        let throughput: Double
    }

    /// To the operator's network and back, in ms.
    let roundTrip: Double

    private let usual: Double
    private let steadiness: Steadiness
    private var chance: Chance
    private var spells: [Spell] = []
    private var drawnUntil: Int64

    /// - Parameters:
    ///   - region: scales the throughput.
    ///   - begin: in ms since 1970; the link is there from then on.
    init(
        _ network: PlaybackNetwork, in region: EdgeRegion, _ steadiness: Steadiness, from begin: Int64, chance: Chance
    ) {
        var chance = chance
        let kind = AccessNetwork(network)
        usual = chance.logNormal(median: kind.throughput * region.access, sigma: kind.throughputSpread)
        roundTrip = chance.logNormal(median: kind.roundTrip, sigma: 0.35)
        self.steadiness = steadiness
        self.chance = chance
        drawnUntil = begin
    }

    /// Whether there is no network.
    mutating func isOffline(at time: Int64) -> Bool {
        spell(at: time).throughput == 0
    }

    /// When `bits` that begin to arrive at `time` have arrived.
    ///
    /// - Parameters:
    ///   - ceiling: what the other end sends at most, in bit/ms.
    ///   - limit: nobody waits longer than this, in ms.
    /// - Returns: ms since 1970; `nil` when it would take longer than the limit.
    /// - Complexity: O(spells).
    mutating func arrival(of bits: Double, from time: Int64, ceiling: Double, limit: Int64) -> Int64? {
        var rest = bits
        var now = time
        while now - time <= limit {
            let (throughput, end) = spell(at: now)
            let rate = min(throughput, ceiling)
            let takes = rate > 0 ? rest / rate : .infinity
            let left = Double(end - now)
            if takes <= left {
                let arrives = now + Int64(takes.rounded(.up))
                return arrives - time <= limit ? arrives : nil
            }
            rest -= rate * left
            now = end
        }
        return nil
    }

    /// The throughput at a time, and until when it holds.
    private mutating func spell(at time: Int64) -> (throughput: Double, end: Int64) {
        while drawnUntil <= time || spells.isEmpty { draw() }
        var index = spells.count - 1
        while index > 0, spells[index].begin > time { index -= 1 }
        let end = index + 1 < spells.count ? spells[index + 1].begin : drawnUntil
        // A time before the link's beginning is as its beginning.
        return (spells[index].throughput, max(end, time + 1))
    }

    private mutating func draw() {
        let isFade = chance.happens(steadiness.fades)
        let length = chance.exponential(mean: isFade ? steadiness.fadeLength : 6_000)
        var throughput = usual * exp(0.25 * chance.normal())
        if isFade {
            throughput *= chance.happens(steadiness.outages) ? 0 : chance.uniform(0.01, 0.1)
        }
        spells.append(Spell(begin: drawnUntil, throughput: throughput))
        drawnUntil += Int64(length) + 200
    }
}
