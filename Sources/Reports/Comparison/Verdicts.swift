/// Verdicts on all that a table compares, corrected for how much that is.
enum Verdicts {
    /// What is judged of one figure.
    enum Cell: Sendable, Equatable {
        /// Nothing is left to be judged.
        case settled(ComparisonVerdict?)
        /// A difference with the probability of one like it by luck alone, and whether the bad outcome is the more frequent.
        case tested(p: Double, isHigher: Bool)
        /// The figure of that index in the same period, seen from the other side.
        case mirror(of: Int)

        /// - Parameter verdict: what is known before the correction.
        init(_ verdict: ComparisonVerdict?, p: Double?, isHigher: Bool) {
            if verdict == .noDifferenceShown, let p {
                self = .tested(p: p, isHigher: isHigher)
            } else {
                self = .settled(verdict)
            }
        }
    }

    /// The verdicts on all periods of a table together.
    static func judged(_ periods: [[Cell]]) -> [[ComparisonVerdict?]] {
        let probabilities = periods.joined().compactMap { cell -> Double? in
            if case .tested(let p, _) = cell { p } else { nil }
        }
        var shown = Holm.areShown(probabilities)[...]
        return periods.map { cells in
            var verdicts: [ComparisonVerdict?] = []
            for cell in cells {
                switch cell {
                case .settled(let verdict): verdicts.append(verdict)
                case .tested(let p, let isHigher): verdicts.append(verdict(p, shown.removeFirst(), isHigher))
                case .mirror(let index): verdicts.append(verdicts[index]?.mirrored)
                }
            }
            return verdicts
        }
    }

    private static func verdict(_ p: Double, _ isShown: Bool, _ isHigher: Bool) -> ComparisonVerdict {
        if isShown { return isHigher ? .worse : .better }
        guard p < 0.05 else { return .noDifferenceShown }
        return isHigher ? .perhapsWorse : .perhapsBetter
    }
}
