internal import Dispatch
internal import Synchronization

extension Array where Element: Sendable {
    /// What becomes of each element, worked out side by side on as many threads as there are processors.
    ///
    /// - Throws: what the first of the elements that failed threw; the others are worked out all the same.
    package func parallelMap<Value: Sendable>(_ transform: @Sendable (Element) throws -> Value) throws -> [Value] {
        guard count > 1 else { return try map(transform) }
        // Written once for each element, so the lock is nothing beside the work that it is worth to share.
        let results = Mutex([Result<Value, any Error>?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { try transform(self[index]) }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { $0 }.compactMap { try $0?.get() }
    }
}
