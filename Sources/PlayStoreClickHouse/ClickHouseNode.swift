internal import PlayStore

/// An ingest server among those that feed one store.
struct ClickHouseNode: Equatable {
    /// Letters, digits, `-` and `_`.
    let name: String
    /// Its number, 0 to 2¹⁷, which follows from the name; 0 for a server that was given none.
    let number: Int64

    private static let shift: Int64 = 44

    init(_ name: String) {
        self.name = name
        guard name != "main" else {
            number = 0
            return
        }
        // FNV-1a (Fowler, Noll, Vo).
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        number = Int64((hash ^ hash >> 32) % (1 << 17)) + 1
    }

    /// A number of this server's log as one of the whole store: those of different servers never meet.
    func arrival(_ number: Int64) -> Int64 { self.number << Self.shift + number }
}
