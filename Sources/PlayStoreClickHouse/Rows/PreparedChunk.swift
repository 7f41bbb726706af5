internal import Archive
internal import ClickHouse
internal import PlayStore
internal import PlaybackEvents

/// A chunk as it is posted, and posted again, byte for byte, until the store has it.
struct PreparedChunk {
    struct Insertion {
        var table: ClickHouseTable
        /// Compressed rows.
        var rows: [UInt8]
        /// Names these rows for ever.
        var token: String
    }

    /// What making a chunk needs and the next one can use again.
    final class Memory {
        fileprivate var plays: [UInt8] = []
        fileprivate let compressor = RowCompressor()
    }

    let insertions: [Insertion]
    let end: LogPositions
    /// The totals and the versions once the store has the chunk.
    let totals: StoreTotals
    let versions: PlayVersions

    /// Decides on the hours of the chunk's plays, and compresses the rows.
    ///
    /// - Parameters:
    ///   - start: where the chunk begins: with the server's name the key of what is counted by chunk.
    ///   - totals: those before the chunk.
    ///   - directory: the data directory's name in the store.
    ///   - memory: used again from chunk to chunk, since fresh pages cost more than what is written to them.
    init(
        _ chunk: GatheredChunk, from start: LogPositions, to end: LogPositions, after totals: StoreTotals,
        node: ClickHouseNode, hours: PlayHours, directory: String,
        memory: Memory
    ) throws {
        memory.plays.removeAll(keepingCapacity: true)
        memory.plays.reserveCapacity(chunk.text.count + 16 * chunk.rows.count)
        var tally = ChunkTally()
        for row in chunk.rows {
            let hour = try hours.hour(of: row.play)
            tally.add(row, hour: hour)
            TSVText.append(PlayHour.day(ofHour: hour), to: &memory.plays)
            memory.plays.append(UInt8(ascii: "\t"))
            TSVText.append(hour, to: &memory.plays)
            memory.plays += chunk.text[row.tail]
        }
        let rows: [(ClickHouseTable, [UInt8])] = [
            (.plays, memory.plays), (.accounts, chunk.accounts),
            (.arrivals, tally.rows(node, start.plays)),
            (.rejections, Self.rows(chunk.rejections, node, start.rejected)),
        ]
        let name = [start.plays, start.rejected, end.plays, end.rejected]
            .map { "\($0.segment).\($0.offset)" }.joined(separator: "-")
        insertions = rows.filter { !$0.1.isEmpty }.map { table, rows in
            Insertion(
                table: table, rows: memory.compressor.compressed(rows), token: "\(directory)-\(table.rawValue)-\(name)")
        }
        var after = chunk.end
        after.duplicates = totals.duplicates + tally.duplicates
        after.conflicts = totals.conflicts + tally.conflicts
        after.loaded = after.arrivals - after.duplicates
        after.prunedBefore = totals.prunedBefore
        self.end = end
        self.totals = after
        versions = chunk.versions
    }

    /// In one fixed order.
    private static func rows(_ tally: RejectionTally, _ node: ClickHouseNode, _ start: LogPosition) -> [UInt8] {
        var rows: [UInt8] = []
        for (key, events) in tally.events.sorted(by: { ($0.key.hour, $0.key.code) < ($1.key.hour, $1.key.code) }) {
            rows += ChunkTally.head(hour: key.hour, node, start)
            TSVText.append(Array(key.code.utf8), to: &rows)
            rows.append(UInt8(ascii: "\t"))
            TSVText.append(events, to: &rows)
            rows.append(UInt8(ascii: "\n"))
        }
        return rows
    }
}

/// What a chunk's plays come to by hour of receipt.
struct ChunkTally {
    private struct Key: Hashable {
        var id: Identifier128
        var hour: Int64
    }

    /// By hour of receipt and day of the play.
    private struct Arrival: Hashable, Comparable {
        var hour: Int64
        var day: Int64

        static func < (one: Arrival, other: Arrival) -> Bool { (one.hour, one.day) < (other.hour, other.day) }
    }

    private var arrivals: [Arrival: (arrivals: Int64, conflicts: Int64)] = [:]
    private var contents: [Key: Int] = [:]
    /// Repeats of a play of the same chunk; the store counts all of them.
    private(set) var duplicates: Int64 = 0
    private(set) var conflicts: Int64 = 0

    mutating func add(_ row: GatheredChunk.Row, hour: Int64) {
        let receipt = Arrival(hour: PlayHour(of: row.play.receivedAt).number, day: PlayHour.day(ofHour: hour))
        arrivals[receipt, default: (0, 0)].arrivals += 1
        guard let first = contents.updateValue(row.content, forKey: Key(id: row.play.id, hour: hour)) else { return }
        contents[Key(id: row.play.id, hour: hour)] = first
        duplicates += 1
        guard first != row.content else { return }
        conflicts += 1
        arrivals[receipt, default: (0, 0)].conflicts += 1
    }

    func rows(_ node: ClickHouseNode, _ start: LogPosition) -> [UInt8] {
        var rows: [UInt8] = []
        for (arrival, tally) in arrivals.sorted(by: { $0.key < $1.key }) {
            rows += Self.head(hour: arrival.hour, node, start)
            TSVText.append(arrival.day, to: &rows)
            rows.append(UInt8(ascii: "\t"))
            TSVText.append(tally.arrivals, to: &rows)
            rows.append(UInt8(ascii: "\t"))
            TSVText.append(tally.conflicts, to: &rows)
            rows.append(UInt8(ascii: "\n"))
        }
        return rows
    }

    /// The first columns of a row that is about a chunk.
    static func head(hour: Int64, _ node: ClickHouseNode, _ start: LogPosition) -> [UInt8] {
        var head: [UInt8] = []
        TSVText.append(hour, to: &head)
        head.append(UInt8(ascii: "\t"))
        head += node.name.utf8
        for value in [start.segment, start.offset] {
            head.append(UInt8(ascii: "\t"))
            TSVText.append(value, to: &head)
        }
        head.append(UInt8(ascii: "\t"))
        return head
    }
}
