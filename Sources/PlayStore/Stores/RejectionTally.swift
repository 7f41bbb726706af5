/// Rejected events by hour of receipt and code.
package struct RejectionTally: Sendable, Equatable {
    package struct Key: Sendable, Hashable {
        /// UTC hours since 1970.
        package var hour: Int64
        /// A code of the contract.
        package var code: String
    }

    package private(set) var events: [Key: Int64] = [:]

    package init() {}

    package var isEmpty: Bool { events.isEmpty }

    /// - Parameter receivedAt: ms since 1970.
    package mutating func add(code: String, receivedAt: Int64) {
        events[Key(hour: PlayHour(of: receivedAt).number, code: code), default: 0] += 1
    }

    package mutating func add(_ other: RejectionTally) {
        events.merge(other.events, uniquingKeysWith: +)
    }

    package mutating func removeAll() {
        events.removeAll(keepingCapacity: true)
    }
}
