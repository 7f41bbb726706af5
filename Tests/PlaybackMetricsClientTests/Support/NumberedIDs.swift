import Foundation
import PlaybackMetricsClient

/// Ids that count: 1, 2, 3.
final class NumberedIDs: PlayIDMaker, @unchecked Sendable {
    private let lock = NSLock()
    private var last = 0

    func makeID() -> UUID {
        Self.id(
            lock.withLock {
                last += 1
                return last
            })
    }

    static func id(_ number: Int) -> UUID {
        let digits = String(number, radix: 16)
        let zeros = String(repeating: "0", count: 12 - digits.count)
        return UUID(uuidString: "00000000-0000-7000-8000-\(zeros)\(digits)") ?? UUID()
    }
}

/// Always the same id, where making ids would take most of the time.
struct ConstantID: PlayIDMaker {
    func makeID() -> UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)) }
}
