#if canImport(AVFoundation)
    import AVFoundation
    import PlaybackMetricsClient

    /// What is observed of the current item, as long as it is that.
    @MainActor
    final class ObservedItem {
        let item: AVPlayerItem
        private let notifications = NotificationTokens()
        private var observations: [NSKeyValueObservation] = []
        private(set) var itemMetrics: AnyObject?

        /// A response of the item has shown its edge by its headers, which tell more than a host does.
        var hasShownHeaders = false

        init(_ item: AVPlayerItem) {
            self.item = item
        }

        /// Tells what it observes from now on; what holds already, at once.
        func begin(for metrics: AVPlayerMetrics) {
            let item = item
            observeNotifications(for: metrics)
            observations = [
                item.observe(\.isPlaybackBufferEmpty, options: [.initial]) { [weak metrics] item, _ in
                    metrics?.onMain { metrics, instant in
                        guard item === metrics.player?.currentItem else { return }
                        metrics.handle(.bufferEmpty(item.isPlaybackBufferEmpty), at: instant)
                    }
                },
                item.observe(\.status, options: [.initial]) { [weak metrics] item, _ in
                    metrics?.onMain { Self.statusChanged(of: item, for: $0, at: $1) }
                },
            ]
            if #available(iOS 18, tvOS 18, macOS 15, visionOS 2, *), metrics.seams.usesItemMetrics {
                itemMetrics = ItemMetrics(item) { [weak metrics] told in
                    switch told {
                    case .metric(let metric): metrics.map { $0.handle(.metric(metric, of: $0.id(of: item))) }
                    case .evidence(let evidence): metrics?.see(evidence, of: item)
                    }
                }
            }
        }

        private static func statusChanged(
            of item: AVPlayerItem, for metrics: AVPlayerMetrics, at instant: PlaybackInstant
        ) {
            switch item.status {
            case .readyToPlay where item === metrics.player?.currentItem: metrics.handle(.itemReady, at: instant)
            case .failed:
                metrics.fail(with: item.error, isLettingGo: item !== metrics.player?.currentItem, at: instant)
            default: break
            }
        }

        private func observeNotifications(for metrics: AVPlayerMetrics) {
            let item = item
            observe(AVPlayerItem.didPlayToEndTimeNotification, for: metrics) { metrics, instant, _ in
                metrics.ended(item, at: instant)
            }
            observe(AVPlayerItem.failedToPlayToEndTimeNotification, for: metrics) { metrics, instant, error in
                metrics.fail(with: error, isLettingGo: item !== metrics.player?.currentItem, at: instant)
            }
            observe(AVPlayerItem.playbackStalledNotification, for: metrics) { metrics, instant, _ in
                let waits = metrics.player?.automaticallyWaitsToMinimizeStalling ?? true
                metrics.handle(.playbackStalled(waitsByItself: waits), at: instant)
            }
            observe(AVPlayerItem.timeJumpedNotification, for: metrics) { metrics, instant, _ in
                metrics.handle(.jumped, at: instant)
            }
            observe(AVPlayerItem.newAccessLogEntryNotification, for: metrics) { metrics, _, _ in
                metrics.readAccessLog(of: item)
            }
            observe(AVPlayerItem.newErrorLogEntryNotification, for: metrics) { metrics, _, _ in
                metrics.readErrorLog(of: item)
            }
        }

        private func observe(
            _ name: Notification.Name, for metrics: AVPlayerMetrics,
            _ body: @escaping @MainActor @Sendable (AVPlayerMetrics, PlaybackInstant, (any Error)?) -> Void
        ) {
            notifications.observe(name, of: item) { [weak metrics] notification in
                let error = notification.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? any Error
                metrics?.onMain { body($0, $1, error) }
            }
        }
    }
#endif
