/// The keys of the objects that are open, kept to find one that stands twice in its object.
///
/// A stack: an object's keys lie above those of the object that holds it, and go when it closes.
struct KeyStack {
    struct Key {
        var text: TextSlice
        /// Where it stands in the text that is read.
        var position: Int32
    }

    /// Up to so many keys are compared pair by pair; more are sorted.
    private static let few = 12

    private(set) var keys: [Key] = []

    var count: Int { keys.count }

    mutating func push(_ text: TextSlice, at position: Int) {
        keys.append(Key(text: text, position: Int32(truncatingIfNeeded: position)))
    }

    mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
    }

    /// Takes an object's keys off.
    ///
    /// - Returns: where the first key stands that the object already had, nil when all differ.
    /// - Complexity: O(n log n) comparisons for n keys.
    mutating func close(from base: Int, in bytes: RawSpan, arena: [UInt8]) -> Int? {
        let count = keys.count - base
        guard count > 1 else {
            keys.removeLast(count)
            return nil
        }
        var found = Int32.max
        if count <= Self.few {
            for later in base + 1..<keys.count where keys[later].position < found {
                for earlier in base..<later
                where Self.order(keys[earlier].text, keys[later].text, in: bytes, arena: arena) == 0 {
                    found = min(found, keys[later].position)
                }
            }
        } else {
            keys[base...].sort { one, other in
                let order = Self.order(one.text, other.text, in: bytes, arena: arena)
                return order == 0 ? one.position < other.position : order < 0
            }
            for later in base + 1..<keys.count where keys[later].position < found {
                if Self.order(keys[later - 1].text, keys[later].text, in: bytes, arena: arena) == 0 {
                    found = min(found, keys[later].position)
                }
            }
        }
        keys.removeLast(count)
        return found == .max ? nil : Int(found)
    }

    /// Compares by length, then by bytes.
    private static func order(_ one: TextSlice, _ other: TextSlice, in bytes: RawSpan, arena: [UInt8]) -> Int {
        guard one.count == other.count else { return one.count < other.count ? -1 : 1 }
        for position in 0..<Int(one.count) {
            let left = one.byte(position, in: bytes, arena: arena)
            let right = other.byte(position, in: bytes, arena: arena)
            if left != right { return left < right ? -1 : 1 }
        }
        return 0
    }
}
