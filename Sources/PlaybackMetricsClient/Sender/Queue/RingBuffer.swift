/// A queue that grows up to a bound by doubling, and then never again.
struct RingBuffer<Element> {
    private var slots: [Element?] = []
    private var head = 0
    private(set) var count = 0
    private let limit: Int

    /// An empty queue of at most `limit` elements.
    init(limit: Int) {
        self.limit = limit
    }

    /// Adds an element at the back. The caller keeps to the bound.
    ///
    /// - Complexity: O(1), and no allocation once the queue has been as long before.
    mutating func append(_ element: consuming Element) {
        if count == slots.count { grow() }
        slots[slot(count)] = element
        count += 1
    }

    /// Puts an element back at the front. The caller keeps to the bound.
    mutating func prepend(_ element: consuming Element) {
        if count == slots.count { grow() }
        head = head == 0 ? slots.count - 1 : head - 1
        slots[head] = element
        count += 1
    }

    /// Takes the element at the front.
    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[head].take()
        head = slot(1)
        count -= 1
        return element
    }

    /// Lets go of the element at the front.
    ///
    /// - Returns: whether there was one.
    mutating func dropFirst() -> Bool {
        guard count > 0 else { return false }
        slots[head] = nil
        head = slot(1)
        count -= 1
        return true
    }

    /// Empties the queue, and keeps its room.
    mutating func removeAll() {
        while popFirst() != nil {}
    }

    private func slot(_ offset: Int) -> Int {
        let index = head + offset
        return index >= slots.count ? index - slots.count : index
    }

    private mutating func grow() {
        var larger: [Element?] = []
        let room = max(slots.count + 1, min(max(slots.count * 2, 16), limit))
        larger.reserveCapacity(room)
        for offset in 0..<count { larger.append(slots[slot(offset)].take()) }
        for _ in count..<room { larger.append(nil) }
        slots = larger
        head = 0
    }
}
