/// How a ratio Y ÷ X varies from cluster to cluster, where clusters are sessions and plays without one.
///
/// Given the totals, clusters are added one by one in any order; nothing of them is kept.
struct ClusterSpread: Sendable {
    /// Σ x over all clusters.
    let x: Int64
    /// Σ y over all clusters.
    let y: Int128
    /// m, clusters with x = 0 included.
    private(set) var clusters: Int64 = 0
    /// Σ x².
    private var squaredX: UInt128 = 0
    private var squares = CompensatedSum()
    /// Some cluster's share differs from that of all.
    private var differs = false

    init(x: Int64, y: Int128) {
        self.x = x
        self.y = y
    }

    /// Adds `count` clusters that hold `x` and `y` each.
    mutating func add(x clusterX: Int64, y clusterY: Int128, count: Int64 = 1) {
        clusters += count
        // Products stay below 2¹²⁷: a play has at most 2³¹ of anything, or 2⁵³ bytes, whose sums are multiplied by a number of
        // sessions, and a store less than 2³² plays. To look for an overflow takes several times as long as multiplying.
        squaredX &+= UInt128(clusterX.magnitude) &* UInt128(clusterX.magnitude) &* UInt128(count.magnitude)
        // X·e = X·y_c − Y·x_c, exactly; e ÷ (X − x_c) is its quotient.
        let deviation = clusterY &* Int128(x) &- y &* Int128(clusterX)
        guard deviation != 0 else { return }
        differs = true
        guard clusterX < x else { return }
        let term = deviation.nearestDouble / (Double(x) * Double(x - clusterX))
        squares.add(Double(count) * term * term)
    }

    /// R.
    var ratio: Double? { x > 0 ? Double(y) / Double(x) : nil }

    /// v, by leaving out one cluster after the other: (m−1)/m · Σ (e ÷ (X − x))². Exactly 0 when every cluster's
    /// share is the same.
    var variance: Double {
        guard differs, clusters > 0 else { return 0 }
        return Double(clusters - 1) / Double(clusters) * squares.value
    }

    /// f = X² ÷ Σ x² − 1; nil below 4, decided in whole numbers: X² < 5·Σ x².
    var freedom: Double? {
        guard x > 0 else { return nil }
        let square = UInt128(x.magnitude) * UInt128(x.magnitude)
        // The whole part of X² ÷ 5 decides as well as X² itself, and nothing overflows.
        guard squaredX > 0, square / 5 >= squaredX else { return nil }
        return Double(square - squaredX) / Double(squaredX)
    }
}

extension Int128 {
    /// The number in floating point, right to the last place but one; many times as fast as the general conversion.
    var nearestDouble: Double {
        let high = UInt64(truncatingIfNeeded: magnitude >> 64)
        let size = Double(high) * 0x1p64 + Double(UInt64(truncatingIfNeeded: magnitude))
        return self < 0 ? -size : size
    }
}
