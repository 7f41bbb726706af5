internal import Glibc

/// One thread of the system: blocking work never goes to the cooperative pool.
package final class SystemThread: Sendable {
    /// What the thread begins with, handed over as one pointer.
    private final class Start {
        let niceness: Int32
        let body: () -> Void

        init(_ niceness: Int32, _ body: sending @escaping () -> Void) {
            self.niceness = niceness
            self.body = body
        }

        func run() {
            // Linux keeps a niceness for each thread; those that it starts have the same.
            if niceness > 0 { setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) }
            body()
        }
    }

    /// The stack of a thread for which nothing else is said, in bytes.
    package static let usualStackBytes = 1 << 20

    private let handle: pthread_t

    /// Starts a thread that somebody waits for. It has the signal mask of this one.
    ///
    /// - Parameters:
    ///   - name: what an error calls it.
    ///   - niceness: how much it gives way to other threads when there are too few processors, 0 (not) to 19.
    ///   - body: what it does. What that holds and nobody else refers to is the thread's own from now on.
    /// - Throws: what the system said, when it has no more threads.
    package init(
        name: String, stackBytes: Int = usualStackBytes, niceness: Int32 = 0, _ body: sending @escaping () -> Void
    ) throws(ThreadError) {
        handle = try Self.start(name, stackBytes, isDetached: false, Start(niceness, body))
    }

    /// Waits for its end; to be called once.
    package func join() {
        pthread_join(handle, nil)
    }

    /// Starts a thread that nobody waits for. It has the signal mask of this one.
    ///
    /// - Throws: what the system said, when it has no more threads.
    package static func detach(
        name: String, stackBytes: Int = usualStackBytes, _ body: sending @escaping () -> Void
    ) throws(ThreadError) {
        _ = try start(name, stackBytes, isDetached: true, Start(0, body))
    }

    private static func start(
        _ name: String, _ stackBytes: Int, isDetached: Bool, _ start: Start
    ) throws(ThreadError) -> pthread_t {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        pthread_attr_setstacksize(attributes, stackBytes)
        if isDetached { pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED)) }
        let argument = Unmanaged.passRetained(start)
        var thread: pthread_t = 0
        let code = pthread_create(
            &thread, attributes,
            { argument in
                if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            throw ThreadError(name: name, code: code)
        }
        return thread
    }
}

/// The system gave no thread.
package struct ThreadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What the thread is for.
    package let name: String
    /// The system's error number.
    package let code: Int32

    /// What the system says of it.
    package var reason: String { String(cString: strerror(code)) }

    package var description: String { "cannot start the thread \(name): \(reason)" }
}
