/// Chooses the variant of the next segment, as players do: by the throughput of the segments before, under the app's cap.
struct BitrateChoice: Sendable {
    /// The variants, in bit/s.
    static let ladder = [240_000, 400_000, 800_000, 1_200_000, 2_000_000, 3_500_000]

    /// The most that the app allows, in bit/s.
    private let cap: Int
    /// In bit/ms; `nil` before the first segment.
    private var throughput: Double?

    init(cap: Int) {
        self.cap = cap
    }

    /// The variant for the next segment, in bit/s: carefully in the middle when nothing is known yet, else the best that
    /// leaves a quarter of the throughput as a reserve.
    var next: Int {
        let affordable = throughput.map { $0 * 0.75 * 1_000 } ?? 900_000
        return Self.ladder.last { $0 <= cap && Double($0) <= affordable } ?? Self.ladder[0]
    }

    /// A segment of so many bytes took so many ms; the last ones count most.
    mutating func note(bytes: Int, milliseconds: Int64) {
        let measured = Double(bytes) * 8 / Double(max(1, milliseconds))
        throughput = throughput.map { $0 * 0.6 + measured * 0.4 } ?? measured
    }

    /// Whether a segment of this variant comes faster than it plays.
    func keepsUp(with bitrate: Int) -> Bool {
        throughput.map { $0 * 1_000 > Double(bitrate) * 1.2 } ?? false
    }
}
