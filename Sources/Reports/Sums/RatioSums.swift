/// What is known of a ratio Y ÷ X over sessions: a count and five sums of whole numbers, from which its value and its
/// interval follow.
///
/// Sums add up over parts that have no session in common, such as shards by session; those of days, hours or threads share
/// sessions, and only X and Y of theirs may be added.
package struct RatioSums: Sendable, Hashable {
    /// m: sessions, and plays without one, that have plays which the ratio is about.
    package var sessions: Int64 = 0
    /// X = Σx: the base.
    package var base: Int128 = 0
    /// Y = Σy: the events.
    package var events: Int128 = 0
    /// Σx².
    package var baseSquares: Int128 = 0
    /// Σxy.
    package var products: Int128 = 0
    /// Σy².
    package var eventSquares: Int128 = 0

    package init() {}

    package init(
        sessions: Int64, base: Int128, events: Int128, baseSquares: Int128, products: Int128, eventSquares: Int128
    ) {
        self.sessions = sessions
        self.base = base
        self.events = events
        self.baseSquares = baseSquares
        self.products = products
        self.eventSquares = eventSquares
    }

    /// Adds one session that holds x of the base and y of the events.
    ///
    /// Products wrap instead of trapping: a store holds less than 2³⁶ plays of at most 2²⁷ ms or 2⁴⁰ bytes each, and a
    /// session's bytes are capped at ``byteCap``, so that no sum passes 2¹²⁷.
    @inlinable @inline(__always)
    package mutating func add(x: Int64, y: Int64) {
        let (wideX, wideY) = (Int128(x), Int128(y))
        sessions &+= 1
        base &+= wideX
        baseSquares &+= wideX &* wideX
        guard y != 0 else { return }
        events &+= wideY
        products &+= wideX &* wideY
        eventSquares &+= wideY &* wideY
    }

    /// Adds the sums of a part that has no session in common with this one.
    package static func += (sums: inout RatioSums, part: RatioSums) {
        sums.sessions += part.sessions
        sums.base += part.base
        sums.events += part.events
        sums.baseSquares += part.baseSquares
        sums.products += part.products
        sums.eventSquares += part.eventSquares
    }

    /// The same base with what is not an event as the events.
    package var complement: RatioSums {
        RatioSums(
            sessions: sessions, base: base, events: base - events, baseSquares: baseSquares,
            products: baseSquares - products, eventSquares: baseSquares - 2 * products + eventSquares)
    }

    /// A session's bytes are squared as at most so many, a petabyte.
    package static let byteCap: Int64 = 1 << 50
}

/// Products of what a session has on two sides, summed over the sessions that have plays on both.
package struct CrossSums: Sendable, Hashable {
    /// Σ x_a·x_b.
    package var bases: Int128 = 0
    /// Σ x_a·y_b.
    package var baseByEvents: Int128 = 0
    /// Σ y_a·x_b.
    package var eventsByBase: Int128 = 0
    /// Σ y_a·y_b.
    package var events: Int128 = 0

    package init() {}

    package init(bases: Int128, baseByEvents: Int128, eventsByBase: Int128, events: Int128) {
        self.bases = bases
        self.baseByEvents = baseByEvents
        self.eventsByBase = eventsByBase
        self.events = events
    }

    @inlinable
    package mutating func add(_ one: (x: Int64, y: Int64), _ other: (x: Int64, y: Int64)) {
        bases &+= Int128(one.x) &* Int128(other.x)
        baseByEvents &+= Int128(one.x) &* Int128(other.y)
        eventsByBase &+= Int128(one.y) &* Int128(other.x)
        events &+= Int128(one.y) &* Int128(other.y)
    }

    /// Adds the sums of a part that has no session in common with this one.
    package static func += (sums: inout CrossSums, part: CrossSums) {
        sums.bases += part.bases
        sums.baseByEvents += part.baseByEvents
        sums.eventsByBase += part.eventsByBase
        sums.events += part.events
    }

    /// The same with what is not an event as the events of either side.
    package var complement: CrossSums {
        CrossSums(
            bases: bases, baseByEvents: bases - baseByEvents, eventsByBase: bases - eventsByBase,
            events: bases - baseByEvents - eventsByBase + events)
    }
}
