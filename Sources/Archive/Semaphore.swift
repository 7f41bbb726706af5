internal import Glibc

/// A counting semaphore of the system, which one thread posts and another waits for.
final class Semaphore: @unchecked Sendable {
    /// The system keeps the address, so it must not move.
    private let handle: UnsafeMutablePointer<sem_t>

    init() {
        handle = .allocate(capacity: 1)
        handle.initialize(to: sem_t())
        sem_init(handle, 0, 0)
    }

    deinit {
        sem_destroy(handle)
        handle.deallocate()
    }

    func post() {
        sem_post(handle)
    }

    func wait() {
        while sem_wait(handle) != 0 && errno == EINTR {}
    }
}
