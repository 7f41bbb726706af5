internal import Dispatch

/// Counts a period's plays, on two threads where the store has two halves of them.
final class PlayCounts {
    private(set) var parts: [PlayCount]

    /// - Parameters:
    ///   - stretch: of the store.
    ///   - arrivals: what else looks at the plays; each part has its own.
    init(_ scope: PlayScope, _ scanner: any PlayScanner, alongside arrivals: ArrivalCount?) throws {
        let stretch = PlayStretch(hours: scope.hours, receipts: arrivals?.receipts)
        if let halves = try scanner.halves(of: stretch) {
            parts = [
                try PlayCount(scope, scanner, halves.first, alongside: arrivals),
                try PlayCount(scope, halves.companion, halves.second, alongside: arrivals?.another(halves.companion)),
            ]
        } else {
            parts = [try PlayCount(scope, scanner, stretch, alongside: arrivals)]
        }
        try forEachPart { try $0.count() }
    }

    /// Does something with every part, at the same time.
    private func forEachPart(_ body: @Sendable (inout PlayCount) throws -> Void) throws {
        var results: [Result<Void, any Error>] = parts.map { _ in .success(()) }
        parts.withUnsafeMutableBufferPointer { parts in
            results.withUnsafeMutableBufferPointer { results in
                // Each thread has an element of each to itself.
                nonisolated(unsafe) let (parts, results) = (parts, results)
                DispatchQueue.concurrentPerform(iterations: parts.count) { index in
                    results[index] = Result { try body(&parts[index]) }
                }
            }
        }
        for result in results { try result.get() }
    }
}
