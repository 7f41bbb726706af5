// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Just the part of AVFoundation that the adapter uses, written from Apple's documentation, so that it runs where the framework
// does not exist. What a test does to a player stands at the end of each class.

@_exported import Foundation

@MainActor
open class AVPlayer: NSObject, KeyValueObserving {
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

    public nonisolated let observers = ObserverList()
    nonisolated let associated = Guarded<[UnsafeRawPointer: Any]>([:])
    private nonisolated let control = Guarded<(TimeControlStatus, WaitingReason?)>((.paused, nil))

    public private(set) var status = Status.unknown
    public private(set) var error: (any Error)?
    public fileprivate(set) var currentItem: AVPlayerItem?
    public var actionAtItemEnd = ActionAtItemEnd.pause
    public var automaticallyWaitsToMinimizeStalling = true
    public nonisolated var timeControlStatus: TimeControlStatus { control.value.0 }
    public nonisolated var reasonForWaitingToPlay: WaitingReason? { control.value.1 }

    public func replaceCurrentItem(with item: AVPlayerItem?) {
        currentItem = item
        observers.didChange(\AVPlayer.currentItem)
    }

    /// Plays when the item can, and waits for it else.
    public func play() {
        let isReady = currentItem?.status == .readyToPlay
        become(isReady ? .playing : .waitingToPlayAtSpecifiedRate, isReady ? nil : .toMinimizeStalls)
    }

    public func pause() { become(.paused) }

    /// The jump comes later than the call.
    public func seek(to time: CMTime) {
        let item = currentItem
        Task { item?.post(AVPlayerItem.timeJumpedNotification) }
    }

    /// What play() and pause() came to; the framework tells the reason after the status.
    public nonisolated func become(_ status: TimeControlStatus, _ reason: WaitingReason? = nil) {
        let before = control.value
        control.value = (status, reason)
        if before.0 != status { observers.didChange(\AVPlayer.timeControlStatus) }
        if before.1 != reason { observers.didChange(\AVPlayer.reasonForWaitingToPlay) }
    }

    public func fail(_ error: any Error) {
        self.error = error
        status = .failed
        observers.didChange(\AVPlayer.status)
    }
}

@MainActor
open class AVQueuePlayer: AVPlayer {
    private nonisolated let queue = Guarded<[AVPlayerItem]>([])

    public nonisolated func items() -> [AVPlayerItem] { queue.value }

    /// Fills the queue; the first item becomes the current one.
    public func fill(_ items: [AVPlayerItem]) {
        actionAtItemEnd = .advance
        queue.value = items
        super.replaceCurrentItem(with: items.first)
    }

    /// The first item is over.
    public func advance(appending item: AVPlayerItem? = nil) {
        queue.update { queue in
            if !queue.isEmpty { queue.removeFirst() }
            if let item { queue.append(item) }
        }
        super.replaceCurrentItem(with: items().first)
    }
}

/// Plays copies of an item, which share its asset.
@MainActor
public final class AVPlayerLooper: NSObject {
    private let player: AVQueuePlayer
    private let asset: AVAsset

    public init(player: AVQueuePlayer, templateItem: AVPlayerItem) {
        self.player = player
        asset = templateItem.asset
        super.init()
        player.fill([copy(), copy()])
    }

    private func copy() -> AVPlayerItem {
        let item = AVPlayerItem()
        item.asset = asset
        item.become(.readyToPlay)
        return item
    }

    /// The copy that plays has come to its end.
    public func endRound() {
        player.currentItem?.post(AVPlayerItem.didPlayToEndTimeNotification)
        player.advance(appending: copy())
    }
}

@MainActor
open class AVPlayerItem: NSObject, KeyValueObserving {
    public enum Status: Int, Sendable { case unknown, readyToPlay, failed }

    public nonisolated class var didPlayToEndTimeNotification: NSNotification.Name { .init("didPlayToEndTime") }
    public nonisolated class var failedToPlayToEndTimeNotification: NSNotification.Name { .init("failedToPlayToEnd") }
    public nonisolated class var playbackStalledNotification: NSNotification.Name { .init("playbackStalled") }
    public nonisolated class var timeJumpedNotification: NSNotification.Name { .init("timeJumped") }
    public nonisolated class var newAccessLogEntryNotification: NSNotification.Name { .init("newAccessLogEntry") }
    public nonisolated class var newErrorLogEntryNotification: NSNotification.Name { .init("newErrorLogEntry") }

    public nonisolated let observers = ObserverList()
    private nonisolated let access = Guarded<[AVPlayerItemAccessLogEvent]>([])
    private nonisolated let errors = Guarded<[AVPlayerItemErrorLogEvent]>([])
    private nonisolated let readers = Guarded<[Bool]>([])
    nonisolated let metricStreams = Guarded<[MetricStream]>([])

    public private(set) var status = Status.unknown
    public private(set) var error: (any Error)?
    public private(set) var isPlaybackBufferEmpty = false
    public var asset = AVAsset()
    public var preferredPeakBitRate = 0.0

    public convenience init(url: URL) {
        self.init()
        asset = AVURLAsset(url: url)
    }

    public nonisolated func accessLog() -> AVPlayerItemAccessLog? {
        readers.update { $0.append(Thread.isMainThread) }
        return access.value.isEmpty ? nil : AVPlayerItemAccessLog(access.value)
    }

    public nonisolated func errorLog() -> AVPlayerItemErrorLog? {
        readers.update { $0.append(Thread.isMainThread) }
        return errors.value.isEmpty ? nil : AVPlayerItemErrorLog(errors.value)
    }

    // What the SDK of iOS 27 has in their place; it calls back from a thread of its own.
    @available(iOS 27, tvOS 27, macOS 27, visionOS 27, *)
    public nonisolated func fetchAccessLog(
        completionHandler: @escaping @Sendable (sending AVPlayerItemAccessLog?) -> Void
    ) {
        DispatchQueue.global().async { completionHandler(self.accessLog()) }
    }

    @available(iOS 27, tvOS 27, macOS 27, visionOS 27, *)
    public nonisolated func fetchErrorLog(
        completionHandler: @escaping @Sendable (sending AVPlayerItemErrorLog?) -> Void
    ) {
        DispatchQueue.global().async { completionHandler(self.errorLog()) }
    }

    /// Whether a log was ever read on the main thread.
    public nonisolated var wasReadOnMain: Bool { readers.value.contains(true) }

    public func become(_ status: Status, error: (any Error)? = nil) {
        self.status = status
        self.error = error
        observers.didChange(\AVPlayerItem.status)
    }

    public func buffer(isEmpty: Bool) {
        isPlaybackBufferEmpty = isEmpty
        observers.didChange(\AVPlayerItem.isPlaybackBufferEmpty)
    }

    public nonisolated func post(_ name: NSNotification.Name, error: (any Error)? = nil) {
        let info = error.map { [AVPlayerItemFailedToPlayToEndTimeErrorKey: $0] }
        NotificationCenter.default.post(name: name, object: self, userInfo: info)
    }

    /// Writes a new entry into the access log; the framework writes on in it without a word.
    public nonisolated func log(_ event: AVPlayerItemAccessLogEvent, isTold: Bool = true) {
        access.update { $0.append(event) }
        if isTold { post(Self.newAccessLogEntryNotification) }
    }

    public nonisolated func log(_ event: AVPlayerItemErrorLogEvent, isTold: Bool = true) {
        errors.update { $0.append(event) }
        if isTold { post(Self.newErrorLogEntryNotification) }
    }
}

public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "error"

public struct CMTime: Sendable {
    public static let zero = CMTime()
}

open class AVAsset: NSObject, @unchecked Sendable {}

open class AVURLAsset: AVAsset, @unchecked Sendable {
    public let url: URL
    public init(url: URL) { self.url = url }
}

public final class AVPlayerItemAccessLog: NSObject, @unchecked Sendable {
    public let events: [AVPlayerItemAccessLogEvent]
    init(_ events: [AVPlayerItemAccessLogEvent]) { self.events = events }
}

public final class AVPlayerItemAccessLogEvent: NSObject, @unchecked Sendable {
    private let values: Guarded<(Int64, Double, Double)>
    public let uri: String?
    public let serverAddress: String?
    public var numberOfBytesTransferred: Int64 { values.value.0 }
    public var indicatedBitrate: Double { values.value.1 }
    public var startupTime: TimeInterval { values.value.2 }

    public init(
        bytes: Int64 = -1, bitrate: Double = -1, startup: Double = -1, uri: String? = nil, serverAddress: String? = nil
    ) {
        values = Guarded((bytes, bitrate, startup))
        self.uri = uri
        self.serverAddress = serverAddress
    }

    /// The framework writes on.
    public func write(bytes: Int64? = nil, bitrate: Double? = nil) {
        values.update { values in
            values.0 = bytes ?? values.0
            values.1 = bitrate ?? values.1
        }
    }
}

public final class AVPlayerItemErrorLog: NSObject, @unchecked Sendable {
    public let events: [AVPlayerItemErrorLogEvent]
    init(_ events: [AVPlayerItemErrorLogEvent]) { self.events = events }
}

public final class AVPlayerItemErrorLogEvent: NSObject, @unchecked Sendable {
    public let errorDomain: String
    public let errorStatusCode: Int
    public let uri: String?
    public let serverAddress: String?
    @available(iOS 17.5, tvOS 17.5, macOS 14.5, visionOS 1.2, *)
    public var allHTTPResponseHeaderFields: [String: String]? { headers }
    private let headers: [String: String]?

    public init(domain: String, code: Int, headers: [String: String]? = nil, uri: String? = nil) {
        errorDomain = domain
        errorStatusCode = code
        self.headers = headers
        self.uri = uri
        serverAddress = nil
    }
}
