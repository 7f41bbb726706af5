#if canImport(AVFoundation)
    import AVFoundation
    import PlaybackMetricsClient

    extension PlayerControl {
        /// What a player says of itself now.
        @MainActor
        init(_ player: AVPlayer) {
            switch player.timeControlStatus {
            case .paused: self = .paused
            case .playing: self = .playing
            case .waitingToPlayAtSpecifiedRate: self = .waiting(player.reasonForWaitingToPlay.map(WaitingReason.init))
            @unknown default: self = .held
            }
        }
    }

    extension PlayerControl.WaitingReason {
        init(_ reason: AVPlayer.WaitingReason) {
            switch reason {
            case .toMinimizeStalls: self = .toMinimizeStalls
            case .evaluatingBufferingRate: self = .evaluatingBufferingRate
            case .noItemToPlay: self = .noItemToPlay
            default: self = .other
            }
        }
    }

    extension ItemEnd.Action {
        init(_ action: AVPlayer.ActionAtItemEnd) {
            switch action {
            case .advance: self = .advance
            case .none: self = .none
            default: self = .pause
            }
        }
    }

    extension PlaybackSource {
        /// Where an item's data comes from, when its asset tells.
        @MainActor
        init?(_ item: AVPlayerItem) {
            guard let asset = item.asset as? AVURLAsset else { return nil }
            self = asset.url.isFileURL ? .download : .stream
        }
    }

    extension ItemLog.Entry {
        init(_ event: AVPlayerItemAccessLogEvent) {
            self.init(
                bytes: event.numberOfBytesTransferred, indicatedBitrate: event.indicatedBitrate,
                startupTime: event.startupTime, host: event.uri.flatMap { URL(string: $0)?.host },
                serverAddress: event.serverAddress)
        }
    }

    extension FailureCode.LogEntry {
        init(_ event: AVPlayerItemErrorLogEvent) {
            var headers: [String: String] = [:]
            if #available(iOS 17.5, tvOS 17.5, macOS 14.5, visionOS 1.2, *) {
                headers = event.allHTTPResponseHeaderFields ?? [:]
            }
            self.init(
                domain: event.errorDomain, code: event.errorStatusCode,
                evidence: EdgeEvidence(
                    headers: headers, serverAddress: event.serverAddress,
                    host: event.uri.flatMap { URL(string: $0)?.host }))
        }
    }

    /// An item's logs, which may take their time to be read: never on the main thread.
    struct ItemLogReader: Sendable {
        private let queue = DispatchQueue(label: "PlaybackMetrics.logs", qos: .utility)

        func accessLog(of item: AVPlayerItem) async -> [ItemLog.Entry] {
            // The SDK that brings the asynchronous reading, in the place of what it deprecates. By its handler: Swift has the
            // same as a property that is named like the method which it replaces.
            #if compiler(>=6.4) || PLAYBACK_METRICS_SDK_27
                if #available(iOS 27, tvOS 27, macOS 27, visionOS 27, *) {
                    return await withCheckedContinuation { continuation in
                        item.fetchAccessLog { log in
                            continuation.resume(returning: log?.events.map { ItemLog.Entry($0) } ?? [])
                        }
                    }
                }
            #endif
            return await onQueue { item.accessLog()?.events.map { ItemLog.Entry($0) } ?? [] }
        }

        func errorLog(of item: AVPlayerItem) async -> [FailureCode.LogEntry] {
            #if compiler(>=6.4) || PLAYBACK_METRICS_SDK_27
                if #available(iOS 27, tvOS 27, macOS 27, visionOS 27, *) {
                    return await withCheckedContinuation { continuation in
                        item.fetchErrorLog { log in
                            continuation.resume(returning: log?.events.map { FailureCode.LogEntry($0) } ?? [])
                        }
                    }
                }
            #endif
            return await onQueue { item.errorLog()?.events.map { FailureCode.LogEntry($0) } ?? [] }
        }

        private func onQueue<Value: Sendable>(_ read: @escaping @Sendable () -> Value) async -> Value {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: read()) }
            }
        }
    }
#endif
