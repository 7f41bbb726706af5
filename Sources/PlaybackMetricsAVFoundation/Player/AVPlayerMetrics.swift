#if canImport(AVFoundation)
    public import AVFoundation
    public import PlaybackMetricsClient

    /// Measures the plays of one `AVPlayer` or `AVQueuePlayer`, whatever view shows it and whatever items it is given.
    ///
    /// It observes the player and its current item, and records the summary of every play that closes. Keep it as long as
    /// the player is used, and call ``stop()`` when it no longer is; a play that is open when it goes closes there.
    ///
    /// ```swift
    /// let observation = AVPlayerMetrics(player: player, metrics: sender) { item in
    ///     PlaybackClip(videoId: VideoID(feed.id(of: item))) { feed.context() }
    /// }
    /// ```
    ///
    /// An automatic loop is one play, when an `AVPlayerLooper` makes it or when `actionAtItemEnd` is `.none`. A play that
    /// begins again after the end is a new one.
    @MainActor
    public final class AVPlayerMetrics {
        private let player: AVPlayer
        private let metrics: any PlaybackMetrics
        private let clip: @MainActor (AVPlayerItem) -> PlaybackClip?
        private var tracker = PlayerTracker()
        private var item: AVPlayerItem?
        private var errors: [FailureCode.LogEntry] = []
        private var playerObservations: [NSKeyValueObservation] = []
        private var itemObservation: NSKeyValueObservation?
        private var itemNotifications: NotificationTokens?
        private let logs = DispatchQueue(label: "PlaybackMetrics.logs", qos: .utility)

        /// Called when a play was recorded while the app is in the background: nothing else may send it in time.
        public var whenRecordedInBackground: (@MainActor () -> Void)?

        /// Observes a player.
        ///
        /// - Parameters:
        ///   - player: the player. What it already plays has a play whose startup nobody measured.
        ///   - metrics: takes the summaries.
        ///   - clip: tells which clip is in an item; `nil` for what is not to be measured, such as an advertisement.
        public init(
            player: AVPlayer, metrics: any PlaybackMetrics, clip: @escaping @MainActor (AVPlayerItem) -> PlaybackClip?
        ) {
            self.player = player
            self.metrics = metrics
            self.clip = clip
            observePlayer()
        }

        deinit {
            var tracker = tracker
            if let closed = tracker.handle(.letGo, at: .now) { metrics.record(closed.summary) }
        }

        /// The viewer asked for a clip: the startup counts from here, even when its item is made later. Without it the
        /// startup counts from the moment at which the player is told to play.
        public func playRequested(for videoId: VideoID) {
            handle(.playRequested(videoId))
        }

        /// The app begins a seek. Seeks that nobody announces are found by the jump of the player's time.
        public func seekBegan() {
            handle(.seekBegan)
        }

        /// The seek that the app began is over, or was given up.
        public func seekEnded() {
            handle(.seekEnded)
        }

        /// Where the video is shown from now on.
        public func show(_ presentation: PlaybackPresentation) {
            handle(.presentation(presentation))
        }

        /// The app went to the background: a player that does not play on there has its play closed.
        public func appDidEnterBackground() {
            handle(.background)
        }

        /// The app comes back to the foreground.
        public func appWillEnterForeground() {
            handle(.foreground)
        }

        /// Lets the clip go and observes no more.
        public func stop() {
            playerObservations = []
            itemObservation = nil
            itemNotifications = nil
            handle(.letGo)
            item = nil
        }

        // MARK: The player

        private func observePlayer() {
            playerObservations = [
                player.observe(\.currentItem, options: [.initial]) { [weak self] _, _ in
                    self?.onMain { $0.itemChanged(at: $1) }
                },
                player.observe(\.timeControlStatus, options: [.initial]) { [weak self] _, _ in
                    self?.onMain { $0.controlChanged(at: $1) }
                },
                player.observe(\.reasonForWaitingToPlay) { [weak self] _, _ in
                    self?.onMain { $0.controlChanged(at: $1) }
                },
                player.observe(\.status) { [weak self] _, _ in
                    self?.onMain { $0.playerFailed(at: $1) }
                },
            ]
        }

        private func controlChanged(at instant: PlaybackInstant) {
            handle(.control(PlayerControl(player)), at: instant)
        }

        private func playerFailed(at instant: PlaybackInstant) {
            guard player.status == .failed else { return }
            fail(with: player.error, isLettingGo: false, at: instant)
        }

        // MARK: The item

        private func itemChanged(at instant: PlaybackInstant) {
            let next = player.currentItem
            guard next !== item || next == nil else { return }
            let isQueued = player is AVQueuePlayer && player.actionAtItemEnd == .advance
            handle(.item(next.map { ObjectIdentifier($0) }, next.flatMap(clip(in:)), isQueued: isQueued), at: instant)
            item = next
            errors = []
            itemObservation = next?.observe(\.status, options: [.initial]) { [weak self] item, _ in
                self?.onMain { $0.statusChanged(of: item, at: $1) }
            }
            itemNotifications = next.map(observeNotifications)
        }

        private func clip(in item: AVPlayerItem) -> PlaybackClip? {
            clip(item)?.completed(player: "AVPlayer", source: PlaybackSource(item))
        }

        private func statusChanged(of item: AVPlayerItem, at instant: PlaybackInstant) {
            guard item === self.item else { return }
            switch item.status {
            case .readyToPlay: handle(.itemReady, at: instant)
            case .failed: fail(with: item.error, isLettingGo: item !== player.currentItem, at: instant)
            default: break
            }
        }

        private func observeNotifications(of item: AVPlayerItem) -> NotificationTokens {
            let tokens = NotificationTokens()
            tokens.observe(AVPlayerItem.didPlayToEndTimeNotification, of: item) { [weak self] _ in
                self?.onMain { $0.ended(item, at: $1) }
            }
            tokens.observe(AVPlayerItem.failedToPlayToEndTimeNotification, of: item) { [weak self] notification in
                let error = notification.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? any Error
                self?.onMain { $0.fail(with: error, isLettingGo: item !== $0.player.currentItem, at: $1) }
            }
            tokens.observe(AVPlayerItem.timeJumpedNotification, of: item) { [weak self] _ in
                self?.onMain { $0.handle(.jumped, at: $1) }
            }
            tokens.observe(AVPlayerItem.newAccessLogEntryNotification, of: item) { [weak self] _ in
                self?.onMain { metrics, _ in metrics.readAccessLog(of: item) }
            }
            tokens.observe(AVPlayerItem.newErrorLogEntryNotification, of: item) { [weak self] _ in
                self?.onMain { metrics, _ in metrics.readErrorLog(of: item) }
            }
            return tokens
        }

        private func ended(_ item: AVPlayerItem, at instant: PlaybackInstant) {
            guard item === self.item else { return }
            let queue = (player as? AVQueuePlayer)?.items() ?? []
            let next = queue.first { $0 !== item }.flatMap(clip)
            handle(.ended(ItemEnd.Action(player.actionAtItemEnd), next: next?.videoId), at: instant)
        }

        private func fail(with error: (any Error)?, isLettingGo: Bool, at instant: PlaybackInstant) {
            guard let code = FailureCode.choose(error, log: errors, isLettingGo: isLettingGo) else { return }
            handle(.failed(code), at: instant)
        }

        // MARK: The logs, which may take their time to be read

        private func readAccessLog(of item: AVPlayerItem) {
            logs.async { [weak self] in
                let figures = AccessLogFigures(item.accessLog())
                self?.onMain { $0.handle(.log(figures, of: ObjectIdentifier(item)), at: $1) }
            }
        }

        private func readErrorLog(of item: AVPlayerItem) {
            logs.async { [weak self] in
                let entries = item.errorLog()?.events.map { FailureCode.LogEntry($0) } ?? []
                self?.onMain { metrics, _ in
                    if item === metrics.item { metrics.errors = entries }
                }
            }
        }

        // MARK: The tracker

        private func handle(_ event: PlayerEvent, at instant: PlaybackInstant = .now) {
            guard let closed = tracker.handle(event, at: instant) else { return }
            guard let item, closed.item == ObjectIdentifier(item), !tracker.isInBackground else {
                record(closed.summary)
                return
            }
            logs.async { [metrics] in
                metrics.record(closed.completed(with: AccessLogFigures(item.accessLog())))
            }
        }

        private func record(_ summary: PlaybackSummary) {
            metrics.record(summary)
            if tracker.isInBackground { whenRecordedInBackground?() }
        }

        /// Runs on the main thread, at once when it is this one, with the time at which it was asked for.
        private nonisolated func onMain(
            _ body: @escaping @MainActor @Sendable (AVPlayerMetrics, PlaybackInstant) -> Void
        ) {
            let instant = PlaybackInstant.now
            MainThread.run { body(self, instant) }
        }
    }
#endif
