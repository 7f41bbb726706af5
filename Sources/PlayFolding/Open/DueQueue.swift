/// Tracks by when they are to be looked at: a binary heap, in which an entry that was overtaken stays until it comes up.
struct DueQueue {
    struct Due {
        var at: Int64
        var slot: Int32
    }

    private var heap: [Due] = []

    var count: Int { heap.count }

    /// Leaves out what is no longer asked for, and what stands there twice.
    ///
    /// - Complexity: O(n log n).
    mutating func keep(_ isWanted: (Due) -> Bool) {
        // What is in ascending order is a heap.
        let wanted = heap.filter(isWanted).sorted { ($0.at, $0.slot) < ($1.at, $1.slot) }
        heap.removeAll(keepingCapacity: true)
        for due in wanted where due.at != heap.last?.at || due.slot != heap.last?.slot { heap.append(due) }
    }

    mutating func push(_ due: Due) {
        heap.append(due)
        var place = heap.count - 1
        while place > 0, heap[place].at < heap[(place - 1) / 2].at {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes out the earliest that is due at a time.
    mutating func pop(until at: Int64) -> Due? {
        guard let first = heap.first, first.at <= at else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].at < heap[least].at {
                least = child
            }
            if least == place { return first }
            heap.swapAt(place, least)
            place = least
        }
    }
}
