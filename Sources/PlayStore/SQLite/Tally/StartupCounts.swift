internal import Reports

/// How often each startup time occurs in each cell.
struct StartupCounts {
    /// Times up to some seconds are counted in place, in pieces that are made when the first play comes.
    private static let pieceBits = 10
    private static let pieces = 8
    private static let pieceSize = 1 << pieceBits

    private var piece: [Int32] = []
    private var counts: [Int32] = []
    private var far: [UInt64: Int32] = [:]

    @inline(__always)
    mutating func add(_ ms: Int32, cell: Int) {
        let number = Int(ms >> Int32(Self.pieceBits))
        guard number < Self.pieces else {
            far[UInt64(cell) << 32 | UInt64(ms), default: 0] += 1
            return
        }
        let slot = cell * Self.pieces + number
        if slot >= piece.count { piece += Array(repeating: -1, count: max(slot + 1 - piece.count, piece.count)) }
        if piece[slot] < 0 {
            piece[slot] = Int32(counts.count >> Self.pieceBits)
            counts += Array(repeating: 0, count: Self.pieceSize)
        }
        counts[Int(piece[slot]) << Self.pieceBits | Int(ms) & (Self.pieceSize - 1)] += 1
    }

    /// The histogram of each cell.
    func histograms(cells: Int) -> [StartupHistogram] {
        var bins: [[StartupHistogram.Bin]] = Array(repeating: [], count: cells)
        for slot in piece.indices where piece[slot] >= 0 {
            let (cell, start) = (slot / Self.pieces, (slot % Self.pieces) << Self.pieceBits)
            for place in 0..<Self.pieceSize {
                let plays = counts[Int(piece[slot]) << Self.pieceBits | place]
                if plays > 0 { bins[cell].append(.init(ms: Int64(start + place), plays: Int64(plays))) }
            }
        }
        for (key, plays) in far.sorted(by: { $0.key < $1.key }) {
            bins[Int(key >> 32)].append(.init(ms: Int64(key & 0xFFFF_FFFF), plays: Int64(plays)))
        }
        return bins.map { StartupHistogram($0) }
    }
}
