/// Bytes received and not yet used: one piece of memory that grows for a long head and shrinks back afterwards.
struct ReceiveBuffer: ~Copyable {
    /// Holds nearly every request whole, so that it takes one read.
    static let usualSize = 16 << 10

    private var memory: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0

    init() {
        memory = .allocate(byteCount: Self.usualSize, alignment: 16)
    }

    deinit {
        memory.deallocate()
    }

    var count: Int { end - start }
    var isEmpty: Bool { start == end }

    /// What was received and not yet used; valid until the buffer changes.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[start..<end]) }

    /// Takes the first bytes away.
    mutating func use(_ count: Int) {
        start += min(count, self.count)
        if start < end { return }
        start = 0
        end = 0
        if memory.count > Self.usualSize { move(to: Self.usualSize) }
    }

    /// Lets `read` fill the free part, which has at least one byte as long as fewer than `limit` are held.
    ///
    /// - Returns: what `read` returned: the number of new bytes when above 0.
    mutating func fill(limit: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        if end == memory.count {
            if start > 0 {
                move(to: memory.count)
            } else {
                move(to: max(min(memory.count * 2, limit), memory.count))
            }
        }
        guard end < memory.count else { return 0 }
        let count = read(UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
        if count > 0 { end += count }
        return count
    }

    private mutating func move(to size: Int) {
        let kept = bytes
        if size == memory.count {
            memory.copyMemory(from: kept)
        } else {
            let new = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
            new.copyMemory(from: kept)
            memory.deallocate()
            memory = new
        }
        end = kept.count
        start = 0
    }
}
