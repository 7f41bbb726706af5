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

/// From what packed reports are told by their differences.
struct EntryBase {
    var ts: Int64
    var arrival: Int64
    var lag: Int64
    var line: Int64
    var context: Int32

    init(_ entry: FoldEntry) {
        (ts, arrival, lag, line, context) = (entry.ts, entry.arrival, entry.lag, entry.line, entry.context)
    }
}

/// Packs reports into some fifteen bytes each, as differences from the first of their track.
private enum EntryCoder {
    private struct Flags: OptionSet {
        let rawValue: UInt8

        static let number = Flags(rawValue: 1)
        static let several = Flags(rawValue: 2)
        static let bitrate = Flags(rawValue: 4)
        static let buffer = Flags(rawValue: 8)
        static let msd = Flags(rawValue: 16)
        static let code = Flags(rawValue: 32)
        static let context = Flags(rawValue: 64)
    }

    /// The most bytes that an entry takes.
    static let longest = 2 + 10 * 10 + 2 + 64

    static func append(_ entry: FoldEntry, after base: EntryBase, to bytes: inout [UInt8]) {
        var flags: Flags = []
        if entry.sn >= 0 { flags.insert(.number) }
        if entry.isSeveral { flags.insert(.several) }
        if entry.bitrate > 0 { flags.insert(.bitrate) }
        if entry.buffer >= 0 { flags.insert(.buffer) }
        if entry.msd >= 0 { flags.insert(.msd) }
        if !entry.code.isEmpty { flags.insert(.code) }
        if entry.context != base.context { flags.insert(.context) }
        bytes.append(entry.state.rawValue << 4 | entry.event.rawValue)
        bytes.append(flags.rawValue)
        let step = entry.ts - base.ts
        put(signed: step, to: &bytes)
        // A report comes about as long after it was made as the first one did.
        put(signed: entry.arrival - base.arrival - step, to: &bytes)
        put(signed: entry.lag - base.lag, to: &bytes)
        put(signed: entry.line - base.line, to: &bytes)
        if flags.contains(.number) { put(UInt64(entry.sn), to: &bytes) }
        if flags.contains(.several) {
            put(UInt64(entry.lastTs - entry.ts), to: &bytes)
            put(UInt64(entry.lastSn - entry.sn), to: &bytes)
        }
        if flags.contains(.bitrate) { put(UInt64(entry.bitrate), to: &bytes) }
        if flags.contains(.buffer) { put(UInt64(entry.buffer), to: &bytes) }
        if flags.contains(.msd) { put(UInt64(entry.msd), to: &bytes) }
        if flags.contains(.context) { put(UInt64(entry.context), to: &bytes) }
        if flags.contains(.code) {
            bytes.append(UInt8(entry.code.count))
            bytes += entry.code
        }
    }

    /// Reads what ``append(_:after:to:)`` wrote.
    ///
    /// - Complexity: O(length).
    static func entries(_ bytes: ArraySlice<UInt8>, after base: EntryBase) -> [FoldEntry] {
        var reader = Reader(bytes: bytes, at: bytes.startIndex)
        var entries: [FoldEntry] = []
        while reader.at < bytes.endIndex { entries.append(reader.entry(after: base)) }
        return entries
    }

    private static func put(signed value: Int64, to bytes: inout [UInt8]) {
        put(UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
    }

    private static func put(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private struct Reader {
        let bytes: ArraySlice<UInt8>
        var at: Int

        mutating func byte() -> UInt8 {
            at += 1
            return bytes[at - 1]
        }

        mutating func unsigned() -> Int64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                let next = byte()
                value |= UInt64(next & 0x7F) << shift
                if next < 0x80 { return Int64(bitPattern: value) }
                shift += 7
            }
        }

        mutating func signed() -> Int64 {
            let value = UInt64(bitPattern: unsigned())
            return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
        }

        mutating func entry(after base: EntryBase) -> FoldEntry {
            var entry = FoldEntry()
            let kind = byte()
            let flags = Flags(rawValue: byte())
            entry.state = PlayerState(rawValue: kind >> 4) ?? .unsaid
            entry.event = ReportEvent(rawValue: kind & 0x0F) ?? .other
            let step = signed()
            entry.ts = base.ts + step
            entry.arrival = base.arrival + step + signed()
            entry.lag = base.lag + signed()
            entry.line = base.line + signed()
            if flags.contains(.number) { entry.sn = unsigned() }
            entry.lastTs = entry.ts
            entry.madeAt = entry.ts
            entry.lastSn = entry.sn
            if flags.contains(.several) {
                entry.lastTs += unsigned()
                entry.lastSn += unsigned()
            }
            if flags.contains(.bitrate) { entry.bitrate = unsigned() }
            if flags.contains(.buffer) { entry.buffer = unsigned() }
            if flags.contains(.msd) { entry.msd = unsigned() }
            entry.context = flags.contains(.context) ? Int32(truncatingIfNeeded: unsigned()) : base.context
            if flags.contains(.code) {
                let count = Int(byte())
                entry.code = Array(bytes[at..<at + count])
                at += count
            }
            return entry
        }
    }
}
