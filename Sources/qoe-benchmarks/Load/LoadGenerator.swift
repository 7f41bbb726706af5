internal import Foundation
internal import Synchronization

/// Runs a load on threads of its own.
enum LoadGenerator {
    /// - Throws: what the system said when a connection could not be made at the beginning.
    static func run(_ plan: LoadPlan) throws -> LoadResult {
        let start = MonotonicTime.now
        let results = Mutex<[Result<LoadResult, any Error>]>([])
        let group = DispatchGroup()
        for number in 0..<plan.threads {
            group.enter()
            Thread.detachNewThread {
                let result = Result { try LoadThread(plan, number: number, start: start).run() }
                results.withLock { $0.append(result) }
                group.leave()
            }
        }
        group.wait()
        var sum = LoadResult()
        for result in results.withLock({ $0 }) { sum.add(try result.get()) }
        return sum
    }
}
