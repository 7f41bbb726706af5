/// The startups of plays in the order of a first pass, kept for a second look: up to a limit, beyond which the store has to
/// be read once more.
struct StartedPlays {
    private struct Play {
        var cluster: Int32
        var startupMs: Int32
    }

    /// 96 MiB.
    private static let limit = 12 << 20
    private static let pieceCount = 1 << 16

    /// In pieces, so that nothing is copied as they grow.
    private var pieces: [[Play]] = []
    private var count = 0
    /// Whether every play is here.
    private(set) var isComplete = true

    mutating func add(cluster: Int, startupMs: Int64) {
        guard isComplete else { return }
        guard count < Self.limit else { return giveUp() }
        if count % Self.pieceCount == 0 {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(Self.pieceCount)
        }
        count += 1
        pieces[pieces.count - 1].append(Play(cluster: Int32(cluster), startupMs: Int32(clamping: startupMs)))
    }

    /// There is a play that can't be kept.
    mutating func giveUp() {
        isComplete = false
        pieces = []
    }

    func forEach(_ visit: (Int, Int64) -> Void) {
        for piece in pieces {
            for play in piece { visit(Int(play.cluster), Int64(play.startupMs)) }
        }
    }
}
