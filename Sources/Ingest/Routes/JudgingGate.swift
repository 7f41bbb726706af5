internal import Dispatch

/// Lets a few requests be judged at a time: what a request becomes takes memory that nobody can know before, and more
/// judges than processors make none of them faster.
final class JudgingGate: Sendable {
    private let slots: DispatchSemaphore

    /// - Parameter slots: requests at a time; more than the largest bodies for which there is room together, so that a
    ///   small one finds a slot beside them.
    init(slots: Int) {
        self.slots = DispatchSemaphore(value: slots)
    }

    /// Waits for a slot and does the work in it.
    func run<Result>(_ work: () throws -> Result) rethrows -> Result {
        slots.wait()
        defer { slots.signal() }
        return try work()
    }
}
