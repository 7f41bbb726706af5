import TestSupport
import Testing

@testable import PlayStore

@Suite("The packing of columns")
struct ColumnPackingTests {
    private func unpacked<Value: FixedWidthInteger>(_ words: [UInt32], as type: Value.Type) throws -> [Value] {
        var values = [Value](repeating: 77, count: PlayColumns.mostPlays)
        let count = try ColumnPacking.unpack(words.span, seed: 7, into: &values)
        return Array(values[..<count])
    }

    private func isKept<Value: FixedWidthInteger>(_ values: [Value]) throws -> Bool {
        let words = ColumnPacking.pack(values, count: values.count, seed: 7)
        return try unpacked(words, as: Value.self) == values
            && ColumnPacking.pack(values, count: values.count, seed: 7) == words
    }

    @Test(
        "gives back every extreme column",
        arguments: [
            [], [0], [-1], [.min], [.max], [.min, .max], [.max, .min, 0, -1], [0, .max], [-1, -1, -1, .min],
            [1 << 53, 0, 1 << 53, 0], [Int64](repeating: .max, count: 16_384), [Int64](repeating: .min, count: 33),
        ] as [[Int64]])
    func extremes(values: [Int64]) throws {
        #expect(try isKept(values))
        #expect(try isKept(values.map { Int32(clamping: $0) }))
        #expect(try isKept(values.map { UInt8(clamping: $0) }))
    }

    @Test("gives back columns of every width, any number of values, and any share of usual ones")
    func random() throws {
        var generator = SeededGenerator(seed: 20_261_129)
        for _ in 0..<600 {
            let width = Int.random(in: 0...64, using: &generator)
            let shift = Int.random(in: 0...max(0, 64 - width), using: &generator)
            let count = Int.random(in: 0...(Bool.random(using: &generator) ? 100 : 5_000), using: &generator)
            let usual: Int64 = [0, -1, 7].randomElement(using: &generator) ?? 0
            let share = Double.random(in: 0...1.2, using: &generator)
            let base = Bool.random(using: &generator) ? 0 : Int64.random(in: .min ... .max, using: &generator)
            let values = (0..<count).map { _ in
                if Double.random(in: 0..<1, using: &generator) < share { return usual }
                let bits = width == 0 ? 0 : UInt64.random(in: .min ... .max, using: &generator) >> UInt64(64 - width)
                return base &+ Int64(bitPattern: bits << UInt64(shift))
            }
            #expect(try isKept(values))
            #expect(try isKept(values.map { Int32(truncatingIfNeeded: $0) }))
            #expect(try isKept(values.map { UInt8(truncatingIfNeeded: $0) }))
        }
    }

    @Test("takes the bits that values need, and less where most are the usual one")
    func sizes() {
        func bytes(_ values: [Int64]) -> Int { ColumnPacking.pack(values, count: values.count, seed: 0).count * 4 - 16 }
        let count = Int64(16_384)
        #expect(bytes((0..<count).map { _ in 4_711 }) == 0)
        #expect(bytes((0..<count).map { 1_000 + $0 % 1_024 }) == 16_384 * 10 / 8)
        // Pages of four kibibytes.
        #expect(bytes((0..<count).map { 1 << 40 + ($0 % 256) << 12 }) == 16_384)
        // One of 64 has ten bits.
        let rare = bytes((0..<count).map { $0 % 64 == 0 ? 1 + $0 / 64 % 1_024 : 0 })
        #expect(rare == 12 + 16_384 / 8 + 256)
    }

    @Test("tells every flipped bit and every cut, whatever the blob, and never traps")
    func damage() throws {
        var generator = SeededGenerator(seed: 4)
        let columns: [[Int64]] = [
            (0..<40).map { $0 * 1_000 }, (0..<70).map { $0 % 9 == 0 ? $0 : 0 }, [5], [],
            (0..<64).map { _ in .random(in: .min ... .max, using: &generator) },
        ]
        for values in columns {
            let words = ColumnPacking.pack(values, count: values.count, seed: 7)
            for bit in 0..<words.count * 32 {
                var other = words
                other[bit / 32] ^= 1 << UInt32(bit % 32)
                #expect(throws: ColumnPacking.Damage.self) { try unpacked(other, as: Int64.self) }
            }
            for count in words.indices {
                #expect(throws: ColumnPacking.Damage.self) { try unpacked(Array(words[..<count]), as: Int64.self) }
            }
            #expect(throws: ColumnPacking.Damage.self) {
                var room = [Int64](repeating: 0, count: PlayColumns.mostPlays)
                _ = try ColumnPacking.unpack(words.span, seed: 8, into: &room)
            }
        }
    }

    @Test("never traps over words that somebody made up and gave a right check")
    func forged() {
        var generator = SeededGenerator(seed: 99)
        for round in 0..<20_000 {
            var words = (0..<Int.random(in: 4...40, using: &generator)).map { _ in
                UInt32.random(in: .min ... .max, using: &generator)
            }
            if round % 2 == 0 { words[1] &= 0x1FF_80FF }
            words[0] = ColumnPacking.check(words.span, 7)
            _ = try? unpacked(words, as: Int32.self)
            _ = try? unpacked(words, as: Int64.self)
            _ = try? unpacked(words, as: UInt8.self)
        }
    }

    @Test("keeps a whole stretch, its sessions as steps and counts")
    func stretch() throws {
        var generator = SeededGenerator(seed: 5)
        for count in [1, 31, 300, 16_384] {
            var plays = PlayColumns()
            plays.hour = -17
            plays.count = count
            for column in PlayColumns.Column.allCases { plays.makeRoom(for: column) }
            for column in ColumnBlobs.columns {
                switch column.storage {
                case .narrow(let path):
                    for index in 0..<count { plays[keyPath: path][index] = .random(in: -1...9, using: &generator) }
                case .wide(let path):
                    for index in 0..<count {
                        plays[keyPath: path][index] = .random(in: .min ... .max, using: &generator)
                    }
                case .bits(let path):
                    for index in 0..<count { plays[keyPath: path][index] = .random(in: 0...3, using: &generator) }
                }
            }
            let sessions = (0..<count).map { _ in
                ([0, 1, 5, 700, .max] as [Int32]).randomElement(using: &generator) ?? 0
            }
            for (index, session) in sessions.sorted().enumerated() { plays.session[index] = session }

            let blobs = ColumnBlobs.encode(plays, stretch: 3)
            #expect(blobs.map(\.key.id) == blobs.map(\.key.id).sorted())
            let lookup = Dictionary(uniqueKeysWithValues: blobs.map { ($0.key.id, $0.words) })
            var read = PlayColumns()
            read.hour = -17
            read.count = count
            var coder = ColumnBlobs()
            try coder.decode(ColumnBlobs.selection, of: 3, into: &read, number: { $0 }) { lookup[$0.id] ?? [] }
            read.makeRoom(for: .video)
            #expect(read.hasSamePlays(as: plays))
            #expect(throws: ColumnError.self) {
                read.count += 1
                try coder.decode(.session, of: 3, into: &read, number: { $0 }) { lookup[$0.id] ?? [] }
            }
            #expect("\(error(of: .watchedMs, lookup, count) as Any)".contains("column watchedMs of UTC hour -17"))
        }
    }

    /// What reading says when the blob of a column is not there.
    private func error(of column: PlayColumns.Column, _ blobs: [Int64: [UInt32]], _ count: Int) -> ColumnError? {
        var read = PlayColumns()
        (read.hour, read.count) = (-17, count)
        var coder = ColumnBlobs()
        do {
            try coder.decode(ColumnBlobs.selection, of: 3, into: &read, number: { $0 }) {
                $0.part == .column(column) ? [] : blobs[$0.id] ?? []
            }
            return nil
        } catch {
            return error as? ColumnError
        }
    }
}

extension PlayColumns {
    /// The same values in all columns that both have.
    func hasSamePlays(as other: PlayColumns) -> Bool {
        guard hour == other.hour, count == other.count else { return false }
        return Column.allCases.allSatisfy { column in
            switch column.storage {
            case .narrow(let path): self[keyPath: path].prefix(count) == other[keyPath: path].prefix(count)
            case .wide(let path): self[keyPath: path].prefix(count) == other[keyPath: path].prefix(count)
            case .bits(let path): self[keyPath: path].prefix(count) == other[keyPath: path].prefix(count)
            }
        }
    }
}
