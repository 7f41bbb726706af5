// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Just the part of Network that the adapter uses, written from Apple's documentation, so that it runs elsewhere.

@_exported import Foundation

public struct NWInterface: Sendable {
    public enum InterfaceType: Sendable { case other, wifi, cellular, wiredEthernet, loopback }
}

public struct NWPath: Sendable {
    public var isConstrained: Bool
    private let types: [NWInterface.InterfaceType]

    public init(_ types: [NWInterface.InterfaceType], isConstrained: Bool = false) {
        self.types = types
        self.isConstrained = isConstrained
    }

    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { types.contains(type) }
}

/// Tells its paths when a test says so.
public final class NWPathMonitor: @unchecked Sendable {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var all: [ObjectIdentifier: NWPathMonitor] = [:]

    private let lock = NSLock()
    private var queue: DispatchQueue?
    private var handler: (@Sendable (NWPath) -> Void)?

    public init() {}

    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { lock.withLock { handler } }
        set { lock.withLock { handler = newValue } }
    }

    public func start(queue: DispatchQueue) {
        lock.withLock { self.queue = queue }
        Self.lock.withLock { Self.all[ObjectIdentifier(self)] = self }
    }

    public func cancel() {
        _ = Self.lock.withLock { Self.all.removeValue(forKey: ObjectIdentifier(self)) }
    }

    /// How many monitors observe.
    public static var count: Int { lock.withLock { all.count } }

    /// The path changes, for every monitor; comes back when they were told.
    public static func become(_ path: NWPath) {
        for monitor in lock.withLock({ Array(all.values) }) {
            let (queue, handler) = monitor.lock.withLock { (monitor.queue, monitor.handler) }
            queue?.sync { handler?(path) }
        }
    }
}
