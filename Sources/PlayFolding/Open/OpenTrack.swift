/// What is held of one session and content while reports may still come.
struct OpenTrack {
    var id: TrackID
    /// The number of the write key's name.
    var key: Int32
    /// The session's and the content's names, then the packed reports.
    var bytes: [UInt8]
    var sidCount: UInt8
    var cidCount: UInt8
    /// How many packed reports there are.
    var count: Int32 = 0
    /// At how many they are looked through for those without news.
    var compactAt = Self.fewest
    /// The first packed report, from which the others are told by their differences.
    var base: EntryBase

    // By the log's clock.

    var lastArrival: Int64
    /// When something came that was more than a heartbeat of the same state.
    var lastNews: Int64
    /// When it is looked at next.
    var check = Int64.max

    /// The state that came last.
    var lastState = PlayerState.unsaid
    /// Whether a play may be made of it, as far as was seen.
    var hasBegun = false

    /// Neighbours in the list of the session's tracks.
    var newer = Self.none
    var older = Self.none
    /// Neighbours in the list of the key's tracks with as many reports, the longest silent first.
    var before = Self.none
    var after = Self.none
    var size = 0

    static let none: Int32 = -1
    /// Below so many reports nothing is gained by looking through them.
    static let fewest: Int32 = 16
    /// What a track takes beside its own bytes: its place here and in the tables.
    static let overhead = MemoryLayout<OpenTrack>.stride + 32 + 96

    init(id: TrackID, key: Int32, sid: [UInt8], cid: [UInt8], first: FoldEntry) {
        self.id = id
        self.key = key
        bytes = sid + cid
        sidCount = UInt8(sid.count)
        cidCount = UInt8(cid.count)
        base = EntryBase(first)
        lastArrival = first.arrival
        lastNews = first.arrival
    }

    var sid: ArraySlice<UInt8> { bytes[..<Int(sidCount)] }
    var cid: ArraySlice<UInt8> { bytes[Int(sidCount)..<Int(sidCount) + Int(cidCount)] }

    var entries: [FoldEntry] {
        EntryCoder.entries(bytes[(Int(sidCount) + Int(cidCount))...], after: base)
    }

    mutating func append(_ entry: FoldEntry) {
        // Room grows by some reports at a time: arrays would double it.
        if bytes.count + EntryCoder.longest > bytes.capacity, bytes.count + 20 > bytes.capacity {
            bytes.reserveCapacity(bytes.count + 64 + bytes.count / 4)
        }
        EntryCoder.append(entry, after: base, to: &bytes)
        count += 1
    }

    /// Holds other reports instead of its own.
    mutating func replace(with entries: [FoldEntry]) {
        bytes = Array(bytes[..<(Int(sidCount) + Int(cidCount))])
        base = EntryBase(entries[0])
        base.line = entries.map(\.line).min() ?? base.line
        count = 0
        for entry in entries { append(entry) }
        compactAt = max(Self.fewest, 2 * count)
    }

    var heldBytes: Int { Self.overhead + bytes.capacity }
}

/// Names a key, a session and a content in 128 bits that nobody outside can foresee.
struct TrackID: Hashable {
    var high: UInt64
    var low: UInt64
    /// The same of the key and the session alone.
    var session: UInt64

    init(key: Int32, sid: [UInt8], cid: [UInt8]) {
        // The standard library's hashing is keyed anew in every process.
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(sid)
        session = UInt64(bitPattern: Int64(hasher.finalize()))
        hasher.combine(cid)
        high = UInt64(bitPattern: Int64(hasher.finalize()))
        hasher = Hasher()
        hasher.combine(cid)
        hasher.combine(sid)
        hasher.combine(key)
        low = UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
