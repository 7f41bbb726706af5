/// What can be bad about a play.
package enum BadOutcome: String, Sendable, CaseIterable {
    case failed = "failures"
    case late = "late starts"
    case stalled = "plays with a stall"
    case left = "exits before start"

    var measure: Measure {
        switch self {
        case .failed: .failed
        case .late: .withinTarget
        case .stalled: .playsWithStall
        case .left: .exitsBeforeStart
        }
    }

    /// The measure counts the good ones.
    var isComplement: Bool { self == .late }

    /// Bad plays by session.
    func sums(_ group: GroupSums) -> RatioSums {
        isComplement ? group.ratios[measure].complement : group.ratios[measure]
    }
}

extension GroupSums {
    /// Failed plays by session, without those whose error is none of the delivery's.
    ///
    /// A session's squares without them are taken as large as they can be.
    func failed(without classes: ErrorClasses) -> RatioSums {
        var sums = ratios[.failed]
        for failure in failures where classes.kind(of: failure.code.description) == .offline {
            sums.events -= Int128(failure.plays)
            sums.products -= failure.products
            sums.eventSquares -= failure.eventSquares
        }
        sums.eventSquares = max(sums.eventSquares, sums.events)
        return sums
    }

    /// Failed plays of each code by session, both phases together.
    func failedByCode() -> [String: RatioSums] {
        var codes: [String: RatioSums] = [:]
        for failure in failures {
            var sums = ratios[.failed]
            (sums.events, sums.products) = (Int128(failure.plays), failure.products)
            sums.eventSquares = failure.eventSquares
            if let other = codes[failure.code.description] {
                sums.events += other.events
                sums.products += other.products
                // Of a session that failed in both phases: at most this, by Minkowski's inequality.
                let root = Double(sums.eventSquares).squareRoot() + Double(other.eventSquares).squareRoot()
                sums.eventSquares = max(sums.events, Int128((root * root).rounded(.up)))
            }
            codes[failure.code.description] = sums
        }
        return codes
    }
}
