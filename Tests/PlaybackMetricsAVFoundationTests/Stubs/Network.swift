// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Just the part of Network that the adapter uses, written from Apple's documentation. Nothing here runs.

@_exported import Foundation

public struct NWInterface: Sendable {
    public enum InterfaceType: Sendable { case other, wifi, cellular, wiredEthernet, loopback }
}

public struct NWPath: Sendable {
    public var isConstrained: Bool { false }
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { false }
}

public final class NWPathMonitor {
    public init() {}
    public var currentPath: NWPath { NWPath() }
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
