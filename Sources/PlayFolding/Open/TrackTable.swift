/// The open tracks, found by what names them, by their session, by when they are due, and by which is missed least.
struct TrackTable {
    /// Tracks with as many reports or more are alike when one must go.
    private static let sizes = 32
    /// Other content of the same session that is looked at, the newest first.
    private static let siblings = 16
    /// Below so many entries the queue is left as it is.
    private static let fewestDue = 4_096

    private struct Key {
        var count = 0
        /// For each number of reports the track that has been silent longest, and the one that spoke last.
        var first = [Int32](repeating: OpenTrack.none, count: TrackTable.sizes + 1)
        var last = [Int32](repeating: OpenTrack.none, count: TrackTable.sizes + 1)
    }

    private var tracks: [OpenTrack?] = []
    private var free: [Int32] = []
    private var numbers: [TrackID: Int32] = [:]
    /// The newest track of each session.
    private var newest: [UInt64: Int32] = [:]
    private var keys: [Key] = []
    private(set) var queue = DueQueue()
    /// Tracks that may have more changes than a play may have.
    var overfull: [Int32] = []
    /// What they take, in bytes, roughly.
    private(set) var bytes = 0
    /// In how many a play has begun.
    private(set) var begun = 0

    subscript(slot: Int32) -> OpenTrack {
        guard let track = tracks[Int(slot)] else { preconditionFailure("No track is open at \(slot).") }
        return track
    }

    func isOpen(_ slot: Int32) -> Bool { tracks[Int(slot)] != nil }

    func slot(_ id: TrackID) -> Int32? { numbers[id] }

    /// - Complexity: O(n).
    var slots: [Int32] { tracks.indices.filter { tracks[$0] != nil }.map(Int32.init) }

    /// - Complexity: O(n).
    var oldestLine: Int64? { tracks.lazy.compactMap { $0?.base.line }.min() }

    mutating func insert(_ track: OpenTrack) -> Int32 {
        var track = track
        let slot = free.popLast() ?? Int32(tracks.count)
        track.older = newest[track.id.session] ?? OpenTrack.none
        if track.older != OpenTrack.none { tracks[Int(track.older)]?.newer = slot }
        newest[track.id.session] = slot
        numbers[track.id] = slot
        bytes += track.heldBytes
        if Int(slot) == tracks.count { tracks.append(track) } else { tracks[Int(slot)] = track }
        while keys.count <= Int(track.key) { keys.append(Key()) }
        keys[Int(track.key)].count += 1
        link(slot)
        return slot
    }

    mutating func append(_ entry: FoldEntry, to slot: Int32, isNews: Bool) {
        unlink(slot)
        change(slot) { track in
            track.append(entry)
            track.lastArrival = entry.arrival
            if isNews { track.lastNews = entry.arrival }
            if entry.state != .unsaid { track.lastState = entry.state }
            track.hasBegun = track.hasBegun || entry.mayBePlay
        }
        link(slot)
    }

    mutating func replace(_ slot: Int32, with entries: [FoldEntry]) {
        unlink(slot)
        change(slot) { track in
            track.replace(with: entries)
            track.hasBegun = entries.contains(where: \.mayBePlay)
        }
        link(slot)
    }

    mutating func remove(_ slot: Int32) {
        let track = self[slot]
        unlink(slot)
        keys[Int(track.key)].count -= 1
        if track.newer != OpenTrack.none {
            tracks[Int(track.newer)]?.older = track.older
        } else {
            newest[track.id.session] = track.older == OpenTrack.none ? nil : track.older
        }
        if track.older != OpenTrack.none { tracks[Int(track.older)]?.newer = track.newer }
        numbers[track.id] = nil
        bytes -= track.heldBytes
        if track.hasBegun { begun -= 1 }
        tracks[Int(slot)] = nil
        free.append(slot)
    }

    /// Changes a track in its place, without a copy of what it holds.
    private mutating func change(_ slot: Int32, _ body: (inout OpenTrack) -> Void) {
        guard var track = tracks[Int(slot)] else { return }
        tracks[Int(slot)] = nil
        let (held, hadBegun) = (track.heldBytes, track.hasBegun)
        body(&track)
        bytes += track.heldBytes - held
        begun += (track.hasBegun ? 1 : 0) - (hadBegun ? 1 : 0)
        tracks[Int(slot)] = track
    }

    /// Other tracks of the same key and session.
    func siblings(of slot: Int32) -> [Int32] {
        let track = self[slot]
        // Most sessions play one content at a time.
        if track.newer == OpenTrack.none, track.older == OpenTrack.none { return [] }
        var siblings: [Int32] = []
        var other = newest[track.id.session] ?? OpenTrack.none
        while other != OpenTrack.none, siblings.count < Self.siblings {
            let next = self[other]
            if other != slot, next.key == track.key, next.sid == track.sid { siblings.append(other) }
            other = next.older
        }
        return siblings
    }

    // MARK: When to look

    /// Looks at a track at a time of the log's clock, and no more before.
    mutating func look(at slot: Int32, at check: Int64) {
        guard tracks[Int(slot)]?.check != check else { return }
        tracks[Int(slot)]?.check = check
        queue.push(DueQueue.Due(at: check, slot: slot))
        // A player that is looked at with every heartbeat would leave one entry more each time.
        if queue.count > Self.fewestDue, queue.count > 4 * numbers.count {
            let tracks = tracks
            queue.keep { due in tracks[Int(due.slot)]?.check == due.at }
        }
    }

    /// Looks at a track at a time of the log's clock, unless it is looked at before.
    mutating func look(at slot: Int32, notAfter check: Int64) {
        if check < self[slot].check { look(at: slot, at: check) }
    }

    /// A track that is to be looked at now; it is not named again before it has been.
    mutating func due(at clock: Int64) -> Int32? {
        while let due = queue.pop(until: clock) {
            guard let track = tracks[Int(due.slot)], track.check == due.at else { continue }
            tracks[Int(due.slot)]?.check = .max
            return due.slot
        }
        return nil
    }

    // MARK: Which is missed least

    /// Of the key with the most tracks one of those with the fewest reports, the longest silent; nil without any.
    func leastOfLargestKey() -> Int32? {
        guard let key = keys.max(by: { $0.count < $1.count }) else { return nil }
        return key.first.first { $0 != OpenTrack.none }
    }

    private mutating func link(_ slot: Int32) {
        let track = self[slot]
        let (key, size) = (Int(track.key), min(Int(track.count), Self.sizes))
        let last = keys[key].last[size]
        tracks[Int(slot)]?.size = size
        tracks[Int(slot)]?.before = last
        tracks[Int(slot)]?.after = OpenTrack.none
        if last == OpenTrack.none { keys[key].first[size] = slot } else { tracks[Int(last)]?.after = slot }
        keys[key].last[size] = slot
    }

    private mutating func unlink(_ slot: Int32) {
        let track = self[slot]
        let (key, size) = (Int(track.key), track.size)
        if track.before == OpenTrack.none {
            keys[key].first[size] = track.after
        } else {
            tracks[Int(track.before)]?.after = track.after
        }
        if track.after == OpenTrack.none {
            keys[key].last[size] = track.before
        } else {
            tracks[Int(track.after)]?.before = track.before
        }
    }
}

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
        var position = heap.count - 1
        while position > 0, heap[position].at < heap[(position - 1) / 2].at {
            heap.swapAt(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
    }

    /// Takes out the earliest that is due at a time.
    mutating func pop(until at: Int64) -> Due? {
        guard let first = heap.first, first.at <= at else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var position = 0
        while true {
            var least = position
            for child in [2 * position + 1, 2 * position + 2]
            where child < heap.count && heap[child].at < heap[least].at {
                least = child
            }
            if least == position { return first }
            heap.swapAt(position, least)
            position = least
        }
    }
}
