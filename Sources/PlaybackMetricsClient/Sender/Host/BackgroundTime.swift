/// How the host lets an app go on for a while when it goes to the background.
public protocol BackgroundTime: Sendable {
    /// Asks the host for time.
    ///
    /// - Parameter expired: the host calls it when the time is up.
    /// - Returns: gives the time back; called exactly once.
    func begin(expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

/// A host that asks for nothing: a command-line program, or an app that holds the time itself.
public struct UnlimitedBackgroundTime: BackgroundTime {
    /// A host that asks for nothing.
    public init() {}

    /// Nothing has to be given back.
    public func begin(expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void { {} }
}
