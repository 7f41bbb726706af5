internal import Platform
internal import Synchronization

/// Runs a load on threads of its own.
enum LoadGenerator {
    /// - Throws: what the system said when a connection could not be made at the beginning.
    static func run(_ plan: LoadPlan) throws -> LoadResult {
        let start = SystemClock.monotonic
        let results = Mutex<[Result<LoadResult, any Error>]>([])
        let threads = try (0..<plan.threads).map { number in
            try SystemThread(name: "load") {
                let result = Result { try LoadThread(plan, number: number, start: start).run() }
                results.withLock { $0.append(result) }
            }
        }
        for thread in threads { thread.join() }
        var sum = LoadResult()
        for result in results.withLock({ $0 }) { sum.add(try result.get()) }
        return sum
    }
}
