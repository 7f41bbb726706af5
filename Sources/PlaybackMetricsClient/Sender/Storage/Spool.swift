import Foundation

/// The plays that wait, in a file of 256 KiB that is mapped into memory: a ring of records, so that what was recorded
/// survives the process without a system call.
///
/// A record is alive until its play is settled. Whatever order the process is killed in, a record is whole or not there:
/// its checksum says so. Used under the queue's lock alone.
final class Spool {
    /// Where the record of a play lies: in one word, since every play that waits has one.
    struct Mark: Sendable, Hashable {
        /// Of a play that has no record.
        static let none = Mark(word: 0)

        private let word: UInt64

        private init(word: UInt64) {
            self.word = word
        }

        fileprivate init(offset: Int, serial: UInt64) {
            word = serial << 16 | UInt64(offset / 8)
        }

        fileprivate var offset: Int { Int(word & 0xffff) * 8 }
        fileprivate var serial: UInt64 { word >> 16 }
    }

    /// A play as it is kept.
    struct Record: Sendable, Hashable {
        var senderId: UUID
        /// When it was recorded, in ns by the clock of the device's boot.
        var bootTime: Int64
        /// Which boot that was.
        var boot: UInt64
        /// When it was recorded, in ms since 1970 by the device's own clock.
        var wallTime: Int64
        /// The event as requests hold it, but for its age.
        var event: [UInt8]
    }

    static let size = 262_144
    private static let name = "plays.spool"
    private static let magic: UInt64 = 0x314c_4f4f_5053_4f51
    private static let start = 64
    private static let headerSize = 80
    private static let longestEvent = 16_384
    private static let wrapped: UInt32 = .max
    private static let alive: UInt32 = 0x4556_494c
    private enum Offset {
        static let magic = 0, head = 8, tail = 16
    }
    /// Of a record's header.
    private enum Field {
        static let length = 0, state = 4, checksum = 8, serial = 16, senderId = 24, bootTime = 40, boot = 48
        static let wallTime = 56, eventLength = 64
    }

    let file: MappedFile
    private let limit: Int
    private var oldest: UInt64 = 1
    private var next: UInt64 = 1
    private var living = 0

    /// Opens the spool of a folder.
    ///
    /// - Parameter limit: the most plays, at least 1; the oldest go.
    /// - Returns: `nil` when it can't be had, or another sender has it.
    init?(in folder: URL, limit: Int) {
        let url = folder.appendingPathComponent(Self.name)
        guard let file = MappedFile(url, size: Self.size, creates: true, protection: .untilFirstUnlock) else {
            return nil
        }
        self.file = file
        self.limit = limit
    }

    /// Takes away the spool that a folder has, unless a sender uses it.
    static func remove(from folder: URL) {
        let url = folder.appendingPathComponent(name)
        MappedFile(url, size: size, creates: false, protection: .untilFirstUnlock)?.remove()
    }

    /// The plays that earlier runs left, oldest first; to be called once, before anything is added. Whatever can't be read
    /// is left out.
    func takeOver() -> [(record: Record, mark: Mark)] {
        let (found, isWhole) = walk()
        if isWhole {
            dropDead()
            for _ in 0..<max(0, found.count - limit) { dropOldestLiving() }
            return found.suffix(limit)
        }
        // What follows the fault can't be found: begin anew with what could be read.
        clear()
        return found.suffix(limit).map { record, _ in (record, append(record)) }
    }

    /// Whether no play is kept.
    var isEmpty: Bool { living == 0 }

    /// Adds a play; the oldest go to make room.
    ///
    /// - Returns: none for an event that no endpoint would take.
    func append(_ record: Record) -> Mark {
        guard record.event.count <= Self.longestEvent else { return .none }
        while living >= limit { dropOldestLiving() }
        let length = Self.headerSize + (record.event.count + 7) / 8 * 8
        let offset = makeRoom(for: length)
        let serial = next
        file.store(UInt32(length), at: offset + Field.length)
        file.store(UInt32(0), at: offset + Field.state)
        file.store(serial, at: offset + Field.serial)
        file.store(record.senderId.uuid, at: offset + Field.senderId)
        file.store(record.bootTime, at: offset + Field.bootTime)
        file.store(record.boot, at: offset + Field.boot)
        file.store(record.wallTime, at: offset + Field.wallTime)
        file.store(UInt64(record.event.count), at: offset + Field.eventLength)
        file.store(UInt64(0), at: offset + Self.headerSize - 8)
        file.store(UInt64(0), at: offset + length - 8)
        record.event.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            memcpy(file.bytes + offset + Self.headerSize, base, bytes.count)
        }
        file.store(checksum(of: offset, length: length), at: offset + Field.checksum)
        file.store(Self.alive, at: offset + Field.state)
        next += 1
        living += 1
        tail = offset + length
        return Mark(offset: offset, serial: serial)
    }

    /// A play was settled.
    func remove(_ mark: Mark) {
        guard mark.serial >= oldest, mark.serial < next, state(at: mark.offset) == Self.alive else { return }
        file.store(UInt32(0), at: mark.offset + Field.state)
        living -= 1
        dropDead()
    }

    /// Takes the file away, with everything in it.
    func erase() {
        clear()
        memset(file.bytes, 0, file.size)
        file.remove()
    }

    // MARK: The ring

    private var head: Int {
        get { Int(truncatingIfNeeded: file.load(UInt64.self, at: Offset.head)) }
        set { file.store(UInt64(newValue), at: Offset.head) }
    }

    private var tail: Int {
        get { Int(truncatingIfNeeded: file.load(UInt64.self, at: Offset.tail)) }
        set { file.store(UInt64(newValue), at: Offset.tail) }
    }

    private func clear() {
        file.store(UInt64(0), at: Offset.magic)
        tail = Self.start
        head = Self.start
        oldest = next
        living = 0
        file.store(Self.magic, at: Offset.magic)
    }

    /// The records that are alive, oldest first, and whether the ring could be read to its end.
    private func walk() -> (found: [(record: Record, mark: Mark)], isWhole: Bool) {
        var found: [(Record, Mark)] = []
        var isWhole = true
        let (head, tail) = (head, tail)
        guard file.load(UInt64.self, at: Offset.magic) == Self.magic, isOffset(head), isOffset(tail) else {
            return (found, false)
        }
        var position = head
        var passed = 0
        var last: UInt64 = 0
        while position != tail {
            let offset = skippingWrap(position)
            if offset == tail { break }
            guard let length = lengthOfRecord(at: offset) else { return (found, false) }
            passed += length
            let serial = file.load(UInt64.self, at: offset + Field.serial)
            guard passed <= Self.size, serial > last, serial < 1 << 48 else { return (found, false) }
            if last == 0 { oldest = serial }
            last = serial
            next = serial + 1
            if state(at: offset) == Self.alive {
                if file.load(UInt64.self, at: offset + Field.checksum) == checksum(of: offset, length: length),
                    let record = record(at: offset, length: length)
                {
                    found.append((record, Mark(offset: offset, serial: serial)))
                    living += 1
                } else {
                    isWhole = false
                }
            }
            position = offset + length
        }
        return (found, isWhole)
    }

    private func isOffset(_ offset: Int) -> Bool {
        (Self.start...Self.size).contains(offset) && offset % 8 == 0
    }

    /// The offset of the record that begins at `position`, or at the beginning when the ring goes on there.
    private func skippingWrap(_ position: Int) -> Int {
        position >= Self.size || file.load(UInt32.self, at: position) == Self.wrapped ? Self.start : position
    }

    private func lengthOfRecord(at offset: Int) -> Int? {
        guard offset + Self.headerSize <= Self.size else { return nil }
        let length = Int(file.load(UInt32.self, at: offset + Field.length))
        guard length >= Self.headerSize, length <= Self.headerSize + Self.longestEvent, length % 8 == 0,
            offset + length <= Self.size
        else { return nil }
        return length
    }

    private func state(at offset: Int) -> UInt32 {
        file.load(UInt32.self, at: offset + Field.state)
    }

    private func record(at offset: Int, length: Int) -> Record? {
        let count = file.load(UInt64.self, at: offset + Field.eventLength)
        guard count <= UInt64(length - Self.headerSize) else { return nil }
        let event = UnsafeRawBufferPointer(start: file.bytes + offset + Self.headerSize, count: Int(count))
        return Record(
            senderId: UUID(uuid: file.load(uuid_t.self, at: offset + Field.senderId)),
            bootTime: file.load(Int64.self, at: offset + Field.bootTime),
            boot: file.load(UInt64.self, at: offset + Field.boot),
            wallTime: file.load(Int64.self, at: offset + Field.wallTime), event: Array(event))
    }

    /// FNV-1a over words of eight bytes, everything behind the checksum itself.
    private func checksum(of offset: Int, length: Int) -> UInt64 {
        var hash = 0xcbf2_9ce4_8422_2325 ^ UInt64(length)
        for position in stride(from: offset + Field.serial, to: offset + length, by: 8) {
            hash = (hash ^ file.load(UInt64.self, at: position)) &* 0x0000_0100_0000_01b3
            hash ^= hash >> 29
        }
        return hash
    }

    /// An offset with room for so many bytes in one piece.
    private func makeRoom(for length: Int) -> Int {
        while true {
            if living == 0, head != tail || head != Self.start { restart() }
            let (head, tail) = (head, tail)
            if head <= tail {
                if Self.size - tail >= length { return tail }
                if head - Self.start > length {
                    if tail < Self.size { file.store(Self.wrapped, at: tail) }
                    return Self.start
                }
            } else if head - tail > length {
                return tail
            }
            dropOldestLiving()
        }
    }

    /// Nothing is alive: begin at the beginning.
    private func restart() {
        oldest = next
        tail = Self.start
        head = Self.start
    }

    private func dropOldestLiving() {
        guard living > 0 else { return }
        file.store(UInt32(0), at: skippingWrap(head) + Field.state)
        living -= 1
        dropDead()
    }

    /// Brings the head to the oldest record that is alive.
    private func dropDead() {
        while head != tail {
            let offset = skippingWrap(head)
            guard state(at: offset) != Self.alive else { return }
            guard let length = lengthOfRecord(at: offset) else { return clear() }
            head = offset + length
            oldest += 1
        }
    }
}
