internal import Glibc

/// The clips that there are: a few are watched by many, most by few.
struct Catalogue: Sendable {
    static let size = 600
    /// Two clips that were published broken, seldom watched ones.
    private static let broken: [Int: PlaybackFailure] = [433: .formatUnreadable, 587: .playlistUnreadable]

    let clips: [Clip]

    /// The same clips for every seed.
    init() {
        var chance = Chance(seed: 2_026)
        clips = (0..<Self.size).map { rank in
            Clip(
                id: "clip-" + Self.digits(Int(chance.next() % 9_000) * 600 + rank),
                length: Int64(min(60, max(15, chance.logNormal(median: 27, sigma: 0.4))) * 1_000),
                popularity: Double(rank) / Double(Self.size - 1),
                fault: Self.broken[rank])
        }
    }

    /// A clip as a feed proposes it: the rank is drawn from a power law.
    func draw(_ chance: inout Chance) -> Clip {
        let place = pow(chance.unit(), 2.2)
        return clips[min(Self.size - 1, Int(place * Double(Self.size)))]
    }

    private static func digits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    }
}
