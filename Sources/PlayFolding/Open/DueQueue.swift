/// Tracks by when they are to be looked at: a binary heap, in which an entry that was overtaken stays until it comes up.
struct DueQueue {
    struct Due {
        var at: Int64
        var slot: Int32
    }

    private var heap: [Due] = []

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
