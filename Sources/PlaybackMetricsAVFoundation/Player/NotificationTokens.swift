#if canImport(AVFoundation)
    import Foundation

    /// Observers of notifications, which go when this object goes.
    @MainActor
    final class NotificationTokens {
        private let tokens = TokenBox()

        /// Observes a notification of one object.
        func observe(
            _ name: Notification.Name, of object: AnyObject?, using block: @escaping @Sendable (Notification) -> Void
        ) {
            let token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: block)
            tokens.all.append(token)
        }
    }

    /// Apart from its owner, whose end may come on any thread.
    private final class TokenBox {
        var all: [any NSObjectProtocol] = []

        deinit {
            for token in all { NotificationCenter.default.removeObserver(token) }
        }
    }
#endif
