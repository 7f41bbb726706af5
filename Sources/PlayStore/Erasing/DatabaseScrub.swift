internal import Foundation
package import PlaybackEvents
package import SQLite

/// Sees to it that what was deleted from a database stands in none of its bytes any more.
///
/// The write-ahead log is copied back and cut to nothing. A page that was split, or freed when deletions were not overwritten,
/// may still have a copy in a part that it no longer uses: only writing the whole file anew takes that away. It costs time and
/// room for two more files of that size, so it is done only where the bytes are found.
package struct DatabaseScrub {
    private let connection: SQLiteConnection
    private let path: String
    private let names: [[UInt8]]
    /// So many are not looked for one by one any more: the file is written anew.
    package static let mostNames = 20_000
    /// A reader that is under way keeps the write-ahead log as it is; so long it is waited for.
    private static let patienceMs = 60_000

    /// - Parameters:
    ///   - target: who was erased.
    ///   - plays: their plays, or ``mostNames`` of them.
    package init(_ connection: SQLiteConnection, path: String, _ target: ErasureTarget, plays: [Identifier128]) {
        self.connection = connection
        self.path = path
        var names = plays.map(\.bytes)
        switch target {
        case .session(let session): names.append(session)
        case .play(let id): names.append(id.bytes)
        case .tag(let name, let value): names.append(Array("\"".utf8) + name + Array("\":\"".utf8) + value)
        }
        self.names = names
    }

    /// - Returns: whether the file was written anew.
    /// - Throws: what SQLite says; ``SQLiteError`` with `isBusy` where a reader does not end.
    /// - Complexity: O(bytes of the database).
    package func run() throws -> Bool {
        try checkpoint()
        guard try isFound() else { return false }
        // Not in memory, which may have less room than the database takes.
        try connection.execute("PRAGMA temp_store = FILE")
        defer { try? connection.execute("PRAGMA temp_store = MEMORY") }
        try connection.execute("VACUUM")
        try checkpoint()
        return true
    }

    /// Copies the whole write-ahead log back and cuts it to nothing.
    private func checkpoint() throws {
        var waited = 0
        while try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0 {
            guard waited < Self.patienceMs else { throw SQLiteError.locked }
            usleep(50_000)
            // The connection's own patience with a lock, too.
            waited += 300
        }
    }

    private func isFound() throws -> Bool {
        if names.count >= Self.mostNames { return true }
        // By their first bytes, so that a place of the file is compared with few.
        let headBytes = min(4, names.map(\.count).min() ?? 1)
        let mask: UInt32 = headBytes == 4 ? .max : 1 << UInt32(8 * headBytes) - 1
        let byHead = Dictionary(grouping: names) { name in
            name.prefix(headBytes).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        var isPossible = [Bool](repeating: false, count: 1 << 16)
        for head in byHead.keys { isPossible[Int(head & 0xFFFF)] = true }
        let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        return data.withUnsafeBytes { bytes in
            var position = 0
            while position + 4 <= bytes.count {
                let head = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)) & mask
                if isPossible[Int(head & 0xFFFF)], let candidates = byHead[head],
                    candidates.contains(where: { name in
                        position + name.count <= bytes.count
                            && bytes[position..<position + name.count].elementsEqual(name)
                    })
                {
                    return true
                }
                position += 1
            }
            return false
        }
    }
}
