internal import SQLite

/// The columns of an hour, ready for the database.
struct HourColumns: Sendable {
    /// Blobs by their keys, each as words of 32 bits, the lowest byte first.
    typealias Blob = (id: Int64, words: [UInt32])

    static let table = """
        -- Columns of closed hours: id is hour * 1048576 + stretch * 64 + the number of the column.
        CREATE TABLE play_columns (
            id INTEGER PRIMARY KEY,
            data BLOB
        );
        """

    /// Hours of fewer plays are read as fast from rows.
    static let fewestPlays = 256

    var hour: Int64
    var plays: Int64 = 0
    /// Rows up to this arrival are in the columns.
    var arrival: Int64
    var blobs: [Blob] = []

    /// Makes the columns of an hour from its rows.
    ///
    /// - Parameters:
    ///   - arrival: the last one that the reader sees, or that of the columns that were made before.
    ///   - plays: how many rows there are, as far as is known.
    init(of hour: Int64, before arrival: Int64, expecting plays: Int64, from rows: HourRows) throws {
        self.hour = hour
        self.arrival = arrival
        var blobs: [Blob] = []
        let count = try rows.forEachStretch(
            of: hour, .before(arrival: arrival), expected: plays, ColumnBlobs.selection, .own
        ) { stretch, number in
            for (key, words) in ColumnBlobs.encode(stretch, stretch: number) { blobs.append((key.id, words)) }
        }
        self.blobs = blobs
        self.plays = Int64(count)
    }

    /// The keys of all blobs that an hour may have.
    static func ids(of hour: Int64) -> ClosedRange<Int64> {
        let first = ColumnBlobs.Key.first(of: hour)
        return first...first | (1 << 20 - 1)
    }
}

extension SQLiteStatement {
    /// The words of a blob.
    func words(_ column: Int) -> [UInt32] {
        withBytes(column) { bytes in
            // One copy, since reports read little else.
            [UInt32](unsafeUninitializedCapacity: bytes.byteCount / 4) { words, count in
                count = bytes.byteCount / 4
                bytes.extracting(..<(count * 4)).withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(words).copyMemory(from: $0)
                }
            }
        }
    }
}
