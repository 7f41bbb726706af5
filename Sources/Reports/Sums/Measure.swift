/// What is counted of plays as a ratio, each with how a session contributes: the one list from which every store, every
/// interval and every comparison is made.
package enum Measure: Int, Sendable, CaseIterable {
    /// Plays started within the target ÷ plays with a measured startup.
    case withinTarget
    /// ms stalled ÷ ms watched, over started plays.
    case rebuffering
    /// Stalls ÷ ms watched, over started plays.
    case stalls
    /// Plays with a stall ÷ started plays.
    case playsWithStall
    /// Failed plays ÷ plays.
    case failed
    /// Plays neither started nor failed, without quick exits ÷ plays.
    case exitsBeforeStart
    /// Bytes ÷ sessions whose bytes are known.
    case data

    /// Those that groups are compared in: of data nobody can say which amount is the better one.
    package static let compared = allCases.filter { $0 != .data }

    /// Of a share no event lies outside the base, so that Wilson's interval and the complement mean something.
    package var isShare: Bool {
        switch self {
        case .withinTarget, .playsWithStall, .failed, .exitsBeforeStart: true
        case .rebuffering, .stalls, .data: false
        }
    }
}

/// One value a measure.
package struct ByMeasure<Value> {
    package var values: [Value]

    package init(_ value: (Measure) -> Value) {
        values = Measure.allCases.map(value)
    }

    package subscript(_ measure: Measure) -> Value {
        get { values[measure.rawValue] }
        set { values[measure.rawValue] = newValue }
    }
}

extension ByMeasure: Sendable where Value: Sendable {}
extension ByMeasure: Equatable where Value: Equatable {}

/// Counts and sums over the plays of one session in one group and period, or of one play without a session.
package struct SessionSums: Sendable, Hashable {
    package var plays: Int64 = 0
    package var started: Int64 = 0
    package var failed: Int64 = 0
    package var measured: Int64 = 0
    package var withinTarget: Int64 = 0
    package var playsWithStall: Int64 = 0
    package var exitsBeforeStart: Int64 = 0
    /// Of started plays, like the times.
    package var stalls: Int64 = 0
    package var watchedMs: Int64 = 0
    package var stalledMs: Int64 = 0
    /// Started plays with known bytes.
    package var weighed: Int64 = 0
    package var bytes: Int128 = 0

    @inlinable
    package init() {}

    @inlinable @inline(__always)
    package static func += (sums: inout SessionSums, part: SessionSums) {
        sums.plays &+= part.plays
        sums.started &+= part.started
        sums.failed &+= part.failed
        sums.measured &+= part.measured
        sums.withinTarget &+= part.withinTarget
        sums.playsWithStall &+= part.playsWithStall
        sums.exitsBeforeStart &+= part.exitsBeforeStart
        sums.stalls &+= part.stalls
        sums.watchedMs &+= part.watchedMs
        sums.stalledMs &+= part.stalledMs
        sums.weighed &+= part.weighed
        sums.bytes &+= part.bytes
    }

    /// A session counts in data per session when one of its started plays has known bytes, or none of its plays started.
    @inlinable
    package var hasKnownBytes: Bool { weighed > 0 || started == 0 }

    /// x and y of a measure; nil where the session has no play that the measure is about.
    ///
    /// Plays without a session have no data; whoever adds them leaves that measure out.
    @inline(__always)
    package func pair(_ measure: Measure) -> (x: Int64, y: Int64)? {
        switch measure {
        case .withinTarget: measured > 0 ? (measured, withinTarget) : nil
        case .rebuffering: started > 0 ? (watchedMs, stalledMs) : nil
        case .stalls: started > 0 ? (watchedMs, stalls) : nil
        case .playsWithStall: started > 0 ? (started, playsWithStall) : nil
        case .failed: (plays, failed)
        case .exitsBeforeStart: (plays, exitsBeforeStart)
        case .data: hasKnownBytes ? (1, Int64(min(bytes, Int128(RatioSums.byteCap)))) : nil
        }
    }
}
