// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Key-value observing and associated objects, which only Apple's systems have.

@_exported import Foundation

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

public struct NSKeyValueObservedChange<Value> {}

/// Ends with its own life, as Foundation's does.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private var cancel: (() -> Void)?

    init(cancel: @escaping () -> Void) { self.cancel = cancel }

    deinit { invalidate() }

    public func invalidate() {
        let cancel = lock.withLock {
            defer { self.cancel = nil }
            return self.cancel
        }
        cancel?()
    }
}

/// The observers of one object.
public final class ObserverList: @unchecked Sendable {
    private let lock = NSLock()
    private var next = 0
    private var handlers: [(id: Int, path: AnyKeyPath, handler: () -> Void)] = []

    func add(_ path: AnyKeyPath, _ handler: @escaping () -> Void) -> Int {
        lock.withLock {
            next += 1
            handlers.append((next, path, handler))
            return next
        }
    }

    func remove(_ id: Int) { lock.withLock { handlers.removeAll { $0.id == id } } }

    /// How many observe.
    public var count: Int { lock.withLock { handlers.count } }

    /// A property has changed.
    public func didChange(_ path: AnyKeyPath) {
        for handler in lock.withLock({ handlers.filter { $0.path == path } }) { handler.handler() }
    }
}

public protocol KeyValueObserving: NSObject {
    nonisolated var observers: ObserverList { get }
}

extension KeyValueObserving {
    public nonisolated func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observers = observers
        let id = observers.add(keyPath) { [weak self] in
            if let self { changeHandler(self, NSKeyValueObservedChange()) }
        }
        if options.contains(.initial) { changeHandler(self, NSKeyValueObservedChange()) }
        return NSKeyValueObservation { observers.remove(id) }
    }
}

public enum objc_AssociationPolicy { case OBJC_ASSOCIATION_RETAIN_NONATOMIC }

/// Ties a value to the life of a player.
public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
    (object as? AVPlayer)?.associated.update { $0[key] = value }
}

/// A value that any thread reads and writes.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    func update<Result>(_ change: (inout Value) -> Result) -> Result { lock.withLock { change(&stored) } }
}
