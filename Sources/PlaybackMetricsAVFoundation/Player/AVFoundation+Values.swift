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

    extension AccessLogFigures {
        /// The figures of a log; none when there is no log yet.
        init(_ log: AVPlayerItemAccessLog?) {
            self.init(
                (log?.events ?? []).map {
                    Entry(
                        bytes: $0.numberOfBytesTransferred, indicatedBitrate: $0.indicatedBitrate,
                        startupTime: $0.startupTime)
                })
        }
    }

    extension FailureCode.LogEntry {
        init(_ event: AVPlayerItemErrorLogEvent) {
            self.init(domain: event.errorDomain, code: event.errorStatusCode)
        }
    }
#endif
