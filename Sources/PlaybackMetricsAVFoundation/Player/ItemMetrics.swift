#if canImport(AVFoundation)
    import AVFoundation
    import PlaybackMetricsClient

    /// Listens to the player's own measurement of one item (AVMetrics), until it goes.
    @available(iOS 18, tvOS 18, macOS 15, visionOS 2, *)
    @MainActor
    final class ItemMetrics {
        /// What an item tells.
        enum Told: Sendable {
            case metric(PlayerMetric)
            case evidence(EdgeEvidence)
        }

        private let item: AVPlayerItem
        private let tell: @MainActor @Sendable (Told) -> Void
        private let listeners = Listeners()
        private var waiting: [CheckedContinuation<Void, Never>] = []
        /// The player's account of the whole, which comes when it lets the item go.
        private var summary: PlayerMetric?

        init(_ item: AVPlayerItem, tell: @escaping @MainActor @Sendable (Told) -> Void) {
            self.item = item
            self.tell = tell
            listen(to: AVMetricPlayerItemStallEvent.self) { _ in .metric(.stall) }
            listen(to: AVMetricPlayerItemSeekEvent.self) { _ in .metric(.seekBegan) }
            listen(to: AVMetricPlayerItemSeekDidCompleteEvent.self) { event in
                .metric(.seekEnded(inBuffer: event.didSeekInBuffer))
            }
            listen(to: AVMetricPlayerItemVariantSwitchEvent.self) { event in
                event.didSucceed ? .metric(.bitrate(event.toVariant.peakBitRate)) : nil
            }
            listen(to: AVMetricHLSMediaSegmentRequestEvent.self) { event in
                // What the device had kept was served by nobody now.
                guard let request = event.mediaResourceRequestEvent, !request.wasReadFromCache else { return nil }
                return .evidence(EdgeEvidence(request))
            }
            listen(to: AVMetricPlayerItemPlaybackSummaryEvent.self) { event in
                .metric(
                    .summary(
                        stalls: event.stallCount,
                        stalledMs: PlayerMetric.milliseconds(event.timeSpentRecoveringFromStall),
                        startupMs: PlayerMetric.milliseconds(event.timeSpentInInitialStartup)))
            }
        }

        private func listen<Event: AVMetricEvent>(
            to type: Event.Type, _ told: @escaping @Sendable (Event) -> Told?
        ) {
            let events = item.metrics(forType: type)
            let hear: @MainActor @Sendable (Told) -> Void = { [weak self] told in self?.hear(told) }
            listeners.tasks.append(
                Task.detached {
                    // The stream ends with the item, or with an error that says nothing of the play.
                    do {
                        for try await event in events {
                            if let told = told(event) { await hear(told) }
                        }
                    } catch {}
                })
        }

        private func hear(_ told: Told) {
            if case .metric(let metric) = told, case .summary = metric {
                summary = metric
                wake()
            }
            tell(told)
        }

        private func wake() {
            for continuation in waiting { continuation.resume() }
            waiting = []
        }

        /// The summary, for which it waits so long at most.
        func summary(within limit: Duration) async -> PlayerMetric? {
            guard summary == nil, limit > .zero else { return summary }
            await withCheckedContinuation { continuation in
                waiting.append(continuation)
                Task {
                    try? await Task.sleep(for: limit)
                    wake()
                }
            }
            return summary
        }
    }

    /// Apart from its owner, whose end may come on any thread.
    private final class Listeners {
        var tasks: [Task<Void, Never>] = []

        deinit {
            for task in tasks { task.cancel() }
        }
    }

    @available(iOS 18, tvOS 18, macOS 15, visionOS 2, *)
    extension EdgeEvidence {
        /// What a request for a segment shows of the edge that answered.
        fileprivate init(_ request: AVMetricMediaResourceRequestEvent) {
            let response = request.networkTransactionMetrics?.transactionMetrics.last?.response as? HTTPURLResponse
            var headers: [String: String] = [:]
            for (name, value) in response?.allHeaderFields ?? [:] {
                if let name = name as? String, let value = value as? String { headers[name] = value }
            }
            self.init(headers: headers, serverAddress: request.serverAddress, host: request.url?.host)
        }
    }
#endif
