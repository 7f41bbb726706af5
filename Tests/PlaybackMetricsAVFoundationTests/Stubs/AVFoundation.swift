// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Just the part of AVFoundation that the adapter uses, written from Apple's documentation, so that the adapter can be
// type-checked where the framework does not exist. Nothing here runs.

@_exported import Foundation

@MainActor
open class AVPlayer: NSObject {
    public enum Status: Int, Sendable { case unknown, readyToPlay, failed }
    public enum TimeControlStatus: Int, Sendable { case paused, waitingToPlayAtSpecifiedRate, playing }
    public enum ActionAtItemEnd: Int, Sendable { case advance, pause, none }

    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let toMinimizeStalls = WaitingReason(rawValue: "a")
        public static let evaluatingBufferingRate = WaitingReason(rawValue: "b")
        public static let noItemToPlay = WaitingReason(rawValue: "c")
        public static let interstitialEvent = WaitingReason(rawValue: "d")
        public static let waitingForCoordinatedPlayback = WaitingReason(rawValue: "e")
    }

    public var status: Status { .unknown }
    public var error: (any Error)? { nil }
    public var currentItem: AVPlayerItem? { nil }
    public nonisolated var timeControlStatus: TimeControlStatus { .paused }
    public nonisolated var reasonForWaitingToPlay: WaitingReason? { nil }
    public var actionAtItemEnd: ActionAtItemEnd {
        get { .pause }
        set {}
    }
}

@MainActor
open class AVQueuePlayer: AVPlayer {
    public nonisolated func items() -> [AVPlayerItem] { [] }
}

@MainActor
open class AVPlayerItem: NSObject {
    public enum Status: Int, Sendable { case unknown, readyToPlay, failed }

    public nonisolated class var didPlayToEndTimeNotification: NSNotification.Name { .init("a") }
    public nonisolated class var failedToPlayToEndTimeNotification: NSNotification.Name { .init("b") }
    public nonisolated class var timeJumpedNotification: NSNotification.Name { .init("c") }
    public nonisolated class var newAccessLogEntryNotification: NSNotification.Name { .init("d") }
    public nonisolated class var newErrorLogEntryNotification: NSNotification.Name { .init("e") }

    public var status: Status { .unknown }
    public var error: (any Error)? { nil }
    public var asset: AVAsset { AVAsset() }
    public nonisolated func accessLog() -> AVPlayerItemAccessLog? { nil }
    public nonisolated func errorLog() -> AVPlayerItemErrorLog? { nil }
}

public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "error"

open class AVAsset: NSObject, @unchecked Sendable {}

open class AVURLAsset: AVAsset, @unchecked Sendable {
    public var url: URL { URL(fileURLWithPath: "/") }
}

open class AVPlayerItemAccessLog: NSObject, @unchecked Sendable {
    public var events: [AVPlayerItemAccessLogEvent] { [] }
}

open class AVPlayerItemAccessLogEvent: NSObject, @unchecked Sendable {
    public var numberOfBytesTransferred: Int64 { 0 }
    public var indicatedBitrate: Double { 0 }
    public var startupTime: TimeInterval { 0 }
}

open class AVPlayerItemErrorLog: NSObject, @unchecked Sendable {
    public var events: [AVPlayerItemErrorLogEvent] { [] }
}

open class AVPlayerItemErrorLogEvent: NSObject, @unchecked Sendable {
    public var errorStatusCode: Int { 0 }
    public var errorDomain: String { "" }
}

// Key-value observing, which Foundation has on Apple's systems only.

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

public struct NSKeyValueObservedChange<Value> {}

public final class NSKeyValueObservation: NSObject {
    public func invalidate() {}
}

public protocol KeyValueObserving {}

extension NSObject: KeyValueObserving {}

extension KeyValueObserving where Self: NSObject {
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { NSKeyValueObservation() }
}
