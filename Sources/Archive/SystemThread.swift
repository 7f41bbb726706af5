internal import Glibc

/// One thread of the system, for work that blocks.
package final class SystemThread: @unchecked Sendable {
    private final class Start {
        let niceness: Int32
        let body: @Sendable () -> Void

        init(_ niceness: Int32, _ body: @escaping @Sendable () -> Void) {
            self.niceness = niceness
            self.body = body
        }

        func run() {
            // Linux keeps a niceness for each thread; those that it starts have the same.
            if niceness > 0 { setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) }
            body()
        }
    }

    private let handle: pthread_t

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: what an error calls it.
    ///   - stackBytes: its stack, 1 MiB when nothing is said.
    ///   - niceness: how much it gives way to other threads when there are too few processors, 0 (not) to 19.
    /// - Throws: what the system said, when it has no more threads.
    package init(
        name: String, stackBytes: Int = 1 << 20, niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void
    ) throws(FileFault) {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        pthread_attr_setstacksize(attributes, stackBytes)
        let start = Unmanaged.passRetained(Start(niceness, body))
        var created: pthread_t = 0
        let code = pthread_create(
            &created, attributes,
            { argument in
                if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, start.toOpaque())
        if code != 0 {
            start.release()
            throw FileFault("start the thread", name, code: code)
        }
        handle = created
    }

    /// Waits for its end; to be called once.
    package func join() {
        pthread_join(handle, nil)
    }
}
