internal import Synchronization

/// A limit that everything shares which holds bytes for a while: taken before memory is, given back after.
///
/// The last quarter is kept for small requests, and half of that is the most that the small ones of one owner take of it.
/// So whatever one owner sends, large or small, an eighth is left for the small requests of the others.
package final class ByteBudget: Sendable {
    /// A request is large from so many bytes on, as sent or inflated.
    package static let largeFrom = 64 << 10

    private struct Holdings {
        var used = 0
        /// Bytes of small requests by owner; owners are few, as the operator's keys are.
        var small: [String: Int] = [:]
    }

    /// Bytes that may be taken together.
    package let limit: Int
    private let holdings = Mutex(Holdings())

    package init(limit: Int) {
        self.limit = limit
    }

    /// Bytes taken now.
    package var used: Int { holdings.withLock { $0.used } }

    /// What anybody may take.
    private var shared: Int { limit - limit / 4 }

    private func fits(_ count: Int, _ owner: String, isLarge: Bool, _ holdings: Holdings) -> Bool {
        guard count >= 0, count <= limit - holdings.used else { return false }
        if count <= shared - holdings.used { return true }
        return !isLarge && count <= limit / 8 - holdings.small[owner, default: 0]
    }

    fileprivate func hasRoom(for count: Int, _ owner: String, isLarge: Bool) -> Bool {
        holdings.withLock { fits(count, owner, isLarge: isLarge, $0) }
    }

    fileprivate func take(_ count: Int, _ owner: String, isLarge: Bool) -> Bool {
        holdings.withLock { holdings in
            guard fits(count, owner, isLarge: isLarge, holdings) else { return false }
            holdings.used += count
            if !isLarge { holdings.small[owner, default: 0] += count }
            return true
        }
    }

    fileprivate func give(_ count: Int, _ owner: String, isLarge: Bool) {
        holdings.withLock { holdings in
            holdings.used -= count
            if !isLarge { holdings.small[owner, default: 0] -= count }
        }
    }

    /// Counts what an owner's request holds among the large ones from now on.
    fileprivate func enlarge(_ count: Int, _ owner: String) {
        holdings.withLock { $0.small[owner, default: 0] -= count }
    }
}

/// What one request holds of a budget; it is given back when the room goes.
package struct BudgetRoom: ~Copyable {
    private let budget: ByteBudget
    private let owner: String
    /// Bytes that it holds.
    package private(set) var count = 0
    private var isLarge = false

    package init(in budget: ByteBudget, owner: String) {
        self.budget = budget
        self.owner = owner
    }

    deinit {
        if count > 0 { budget.give(count, owner, isLarge: isLarge) }
    }

    /// Whether so many more bytes could be taken now.
    package func hasRoom(for more: Int) -> Bool {
        budget.hasRoom(for: more, owner, isLarge: isLarge)
    }

    /// Takes that many more, or none and says false when there is no room for all of them.
    package mutating func take(_ more: Int) -> Bool {
        guard budget.take(more, owner, isLarge: isLarge) else { return false }
        count += more
        return true
    }

    /// Gives some back, at most all.
    package mutating func give(_ fewer: Int) {
        let fewer = min(max(fewer, 0), count)
        guard fewer > 0 else { return }
        budget.give(fewer, owner, isLarge: isLarge)
        count -= fewer
    }

    /// Gives back what is more than that.
    package mutating func shrink(to most: Int) {
        give(count - most)
    }

    /// Notes how large the request is, as far as is known: from ``ByteBudget/largeFrom`` on it finds less room.
    package mutating func note(size: Int) {
        guard !isLarge, size >= ByteBudget.largeFrom else { return }
        isLarge = true
        if count > 0 { budget.enlarge(count, owner) }
    }
}
