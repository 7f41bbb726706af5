internal import Reports

/// What a session has in one group and slice of time, as long as it may come again.
struct SessionCell {
    var slice: Int32
    var group: Int32
    /// The next cell of the session, -1 for none.
    var next: Int32
    var sums = SessionSums()
    var memory = LastMemory()
}

/// The memory of the last play that has it, by time, then arrival.
struct LastMemory {
    /// `Int64.min` before the first.
    private var endedAt = Int64.min
    /// Plays of one time come in the order of their arrival.
    private var order: Int64 = 0
    private(set) var bytes: Int64 = 0

    var isKnown: Bool { endedAt > .min }

    @inline(__always)
    mutating func note(_ bytes: Int64, endedAt: Int64, order: Int64) {
        if (self.endedAt, self.order) < (endedAt, order) {
            (self.endedAt, self.order, self.bytes) = (endedAt, order, bytes)
        }
    }

    mutating func note(_ other: LastMemory) { note(other.bytes, endedAt: other.endedAt, order: other.order) }
}

/// The cells of the sessions that may come again, in lists by session.
struct SessionCells {
    private(set) var cells: [SessionCell] = []
    /// For each cell and view, the measured plays at or below the percentiles of the view's row.
    private(set) var atMost: [SIMD8<Int32>] = []
    /// The failed plays of cells, by code and phase; of cells without any nothing.
    private(set) var failures: [Int32: [TallyRows.FailureKind: Int64]] = [:]
    /// By session, its first cell; -1 for none.
    private var heads: [Int32] = []
    private var free: [Int32] = []
    let views: Int

    /// - Parameter views: rows that a cell counts in, at most.
    init(views: Int) {
        self.views = views
    }

    @inline(__always)
    func head(of session: Int32) -> Int32 {
        Int(session) < heads.count ? heads[Int(session)] : -1
    }

    mutating func setHead(of session: Int32, _ cell: Int32) {
        let session = Int(session)
        if session >= heads.count {
            if cell < 0 { return }
            heads += Array(repeating: -1, count: max(session + 1 - heads.count, heads.count))
        }
        heads[session] = cell
    }

    @inline(__always)
    mutating func make(slice: Int32, group: Int32, next: Int32) -> Int32 {
        if let cell = free.popLast() {
            cells[Int(cell)] = SessionCell(slice: slice, group: group, next: next)
            for view in 0..<views { atMost[Int(cell) * views + view] = .zero }
            return cell
        }
        cells.append(SessionCell(slice: slice, group: group, next: next))
        for _ in 0..<views { atMost.append(.zero) }
        return Int32(cells.count - 1)
    }

    /// Gives back a session's cells from its first on.
    @inline(__always)
    mutating func release(from head: Int32) {
        var cell = head
        while cell >= 0 {
            if cells[Int(cell)].sums.failed > 0 { failures[cell] = nil }
            free.append(cell)
            cell = cells[Int(cell)].next
        }
    }

    @inline(__always)
    mutating func update(_ cell: Int32, _ body: (inout SessionCell) -> Void) { body(&cells[Int(cell)]) }

    mutating func count(_ kind: TallyRows.FailureKind, cell: Int32) {
        failures[cell, default: [:]][kind, default: 0] += 1
    }

    /// The cell of a group and slice among those from one on; -1 for none.
    @inline(__always)
    func find(_ group: Int32, _ slice: Int32, from head: Int32) -> Int32 {
        var cell = head
        while cell >= 0 {
            if cells[Int(cell)].group == group, cells[Int(cell)].slice == slice { return cell }
            cell = cells[Int(cell)].next
        }
        return -1
    }

    @inline(__always)
    mutating func count(_ startupMs: Int32, cell: Int32, view: Int, thresholds: SIMD8<Int32>) {
        let isAtMost = SIMD8<Int32>(repeating: startupMs) .<= thresholds
        atMost[Int(cell) * views + view].replace(
            with: atMost[Int(cell) * views + view] &+ SIMD8(repeating: 1), where: isAtMost)
    }
}

/// One bit after the other, taken back in reverse.
struct BitStack {
    private var words: [UInt64] = []
    private var count = 0

    @inline(__always)
    mutating func push(_ bit: Bool) {
        if count & 63 == 0 { words.append(0) }
        if bit { words[count >> 6] |= 1 << UInt64(count & 63) }
        count += 1
    }

    @inline(__always)
    mutating func pop() -> Bool {
        count -= 1
        let bit = words[count >> 6] >> UInt64(count & 63) & 1 == 1
        return bit
    }
}

/// A set of sessions by number.
struct SessionSet {
    private var words: [UInt64] = []

    /// - Returns: whether it was there.
    @inline(__always)
    mutating func insert(_ session: Int32) -> Bool {
        let word = Int(session) >> 6
        if word >= words.count { words += Array(repeating: 0, count: max(word + 1 - words.count, words.count)) }
        let bit = UInt64(1) << UInt64(session & 63)
        let isThere = words[word] & bit != 0
        words[word] |= bit
        return isThere
    }
}
