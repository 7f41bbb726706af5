internal import Platform
internal import PlayStore
package import PlaybackEvents

/// Whose plays were erased, as those know it who take plays in.
///
/// Who takes plays in does so by the tombstones of one moment, until they are durable or refused. So an erasure can wait until
/// nobody works by older ones any more, and then finds all that there ever will be in the logs.
package final class ErasedPlays: Sendable {
    private struct State: Sendable {
        var tombstones: Tombstones
        /// Counts the times that the tombstones were replaced.
        var generation = 0
        /// How many work by those of a generation.
        var working: [Int: Int] = [:]
    }

    private let state: Monitor<State>

    package init(_ tombstones: Tombstones) {
        state = Monitor(State(tombstones: tombstones))
    }

    package var tombstones: Tombstones { state.read { $0.tombstones } }

    /// Takes plays in by the tombstones of this moment.
    package func taking<Result>(_ body: (Tombstones) throws -> Result) rethrows -> Result {
        let (tombstones, generation) = state.change { state in
            state.working[state.generation, default: 0] += 1
            return (state.tombstones, state.generation)
        }
        defer {
            state.change { state in
                let left = state.working[generation, default: 1] - 1
                state.working[generation] = left == 0 ? nil : left
            }
        }
        return try body(tombstones)
    }

    /// Lets everybody who begins now go by others.
    func replace(with tombstones: Tombstones) {
        state.change { state in
            state.tombstones = tombstones
            state.generation += 1
        }
    }

    /// Waits until nobody goes by earlier tombstones any more.
    ///
    /// - Returns: false when that has not come in that time.
    func waitForEarlier(milliseconds: Int) -> Bool {
        let generation = state.read { $0.generation }
        return state.wait(milliseconds: milliseconds) { state in !state.working.keys.contains { $0 < generation } }
    }
}
