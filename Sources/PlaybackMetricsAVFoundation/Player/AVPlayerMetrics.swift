#if canImport(AVFoundation)
    public import AVFoundation
    public import PlaybackMetricsClient

    /// Measures the plays of one `AVPlayer` or `AVQueuePlayer`, whatever view shows it and whatever items it is given.
    ///
    /// It observes the player and its current item, and records the summary of every play that closes. Keep it as long as
    /// the player is used, and `await` ``stop()`` when it no longer is; a play that is open when it goes closes there.
    ///
    /// ```swift
    /// let observation = AVPlayerMetrics(player: player, metrics: sender) { item in
    ///     PlaybackClip(videoId: VideoID(feed.id(of: item))) { feed.context() }
    /// }
    /// ```
    ///
    /// An automatic loop (`AVPlayerLooper`) is one play. A play that begins again after the end, because the viewer or the app
    /// asks for it, is a new one with the tag `start=replay`.
    @MainActor
    public final class AVPlayerMetrics {
        // Whoever shows the player keeps it.
        private(set) weak var player: AVPlayer?
        private let metrics: any PlaybackMetrics
        private let clip: @MainActor (AVPlayerItem) -> PlaybackClip?
        private let edge: @MainActor (EdgeEvidence) -> CDNEdge?
        let seams: Seams
        private var tracker = PlayerTracker()
        private var lastContext: (@MainActor @Sendable () -> PlaybackContext)?
        private var playerObservations: [NSKeyValueObservation] = []
        private var observed: ObservedItem?
        private let logs = ItemLogReader()
        private var seen: [SeenItem] = []
        private var seenCount = 0
        private var pending: [Int: Task<Void, Never>] = [:]
        private var pendingCount = 0
        private var completing: Task<Void, Never>?

        /// An item that was in the player, and may come back to it.
        private struct SeenItem {
            weak var item: AVPlayerItem?
            let id: PlayerEvent.ItemID
            /// The access log, as far as its plays have told it; `nil` when none has.
            var told: [ItemLog.Entry]?
        }

        /// What a test chooses.
        struct Seams: Sendable {
            var now: @Sendable () -> PlaybackInstant = { .now }
            /// Listens to AVMetrics where the system has it.
            var usesItemMetrics = true
            /// How long the record of a play waits for the player's own summary, once the item is let go.
            var summaryWait = Duration.milliseconds(250)
        }

        /// Called when a play was recorded while the app is in the background: nothing else may send it in time.
        public var whenRecordedInBackground: (@MainActor () -> Void)?

        /// Observes a player.
        ///
        /// - Parameters:
        ///   - player: the player. What it already plays has a play whose startup nobody measured.
        ///   - metrics: takes the summaries.
        ///   - edge: tells the edge that a response shows, such as ``PlaybackMetricsClient/CDNEdge/known(_:)``; by default
        ///     CDN and region are those of the clip's context alone.
        ///   - clip: tells which clip is in an item; `nil` for what is not to be measured, such as an advertisement.
        public convenience init(
            player: AVPlayer, metrics: any PlaybackMetrics,
            edge: @escaping @MainActor (EdgeEvidence) -> CDNEdge? = { _ in nil },
            clip: @escaping @MainActor (AVPlayerItem) -> PlaybackClip?
        ) {
            self.init(player: player, metrics: metrics, edge: edge, seams: Seams(), clip: clip)
        }

        init(
            player: AVPlayer, metrics: any PlaybackMetrics, edge: @escaping @MainActor (EdgeEvidence) -> CDNEdge?,
            seams: Seams, clip: @escaping @MainActor (AVPlayerItem) -> PlaybackClip?
        ) {
            self.player = player
            self.metrics = metrics
            self.edge = edge
            self.seams = seams
            self.clip = clip
            observePlayer(player)
        }

        deinit {
            var tracker = tracker
            for closed in tracker.handle(.letGo, at: seams.now()) { metrics.record(closed.summary) }
        }

        /// The viewer asked for a clip: the startup counts from here, even when its item is made later. Without it the
        /// startup counts from the moment at which the player is told to play.
        ///
        /// The request ends with the clip's item, with another clip's, with another request and with
        /// ``cancelPlayRequest()``. One that ends without an item is a play that never started.
        ///
        /// - Parameters:
        ///   - videoId: the clip.
        ///   - context: the circumstances of a request that comes to nothing; by default those of the latest clip.
        public func playRequested(
            for videoId: VideoID, context: (@MainActor @Sendable () -> PlaybackContext)? = nil
        ) {
            let clip = PlaybackClip(videoId: videoId, context: context ?? lastContext ?? { PlaybackContext() })
            handle(.playRequested(clip.tracked(player: "AVPlayer", source: nil)))
        }

        /// The viewer gave up what ``playRequested(for:context:)`` said that he asked for.
        public func cancelPlayRequest() {
            handle(.requestCancelled)
        }

        /// The app begins a seek. Seeks that nobody announces are found by the jump of the player's time.
        public func seekBegan() {
            handle(.seekBegan)
        }

        /// The seeks that the app began are over, or were given up. It may be left out: playing ends them too.
        public func seekEnded() {
            handle(.seekEnded)
        }

        /// Where the video is shown from now on.
        public func show(_ presentation: PlaybackPresentation) {
            handle(.presentation(presentation))
        }

        /// The app went to the background: a player that does not play on there has its play closed and recorded before this
        /// returns.
        public func appDidEnterBackground() {
            handle(.background)
        }

        /// The app comes back to the foreground.
        public func appWillEnterForeground() {
            handle(.foreground)
        }

        /// The app ends: what is open is closed and recorded before this returns.
        public func appWillTerminate() {
            handle(.terminated)
        }

        /// Lets the clip go and observes no more. Every play is recorded when this returns.
        public func stop() async {
            playerObservations = []
            handle(.letGo)
            observed = nil
            await settle()
        }

        /// Comes back when everything that was seen until now has been read and told.
        func settle() async {
            while let task = pending.values.first { await task.value }
        }

        /// What the player's open play does; `nil` when none is open.
        public var live: LivePlay? { tracker.live }

        // MARK: The player

        private func observePlayer(_ player: AVPlayer) {
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
            guard let player else { return }
            handle(.control(PlayerControl(player)), at: instant)
        }

        private func playerFailed(at instant: PlaybackInstant) {
            guard let player, player.status == .failed else { return }
            fail(with: player.error, isLettingGo: false, at: instant)
        }

        private func itemChanged(at instant: PlaybackInstant) {
            let next = player?.currentItem
            guard next !== observed?.item || next == nil else { return }
            let isQueued = player is AVQueuePlayer && player?.actionAtItemEnd == .advance
            let known = next.flatMap { clip($0) }
            lastContext = known?.context ?? lastContext
            let tracked = next.flatMap { item in known?.tracked(player: "AVPlayer", source: PlaybackSource(item)) }
            let nextId = next.map { id(of: $0) }
            handle(.item(nextId, tracked, isQueued: isQueued), at: instant)
            if let nextId, let told = seen.first(where: { $0.id == nextId })?.told {
                handle(.closingLog(told, of: nextId), at: instant)
            }
            // After the play of the item before it has closed, whose logs are read once more.
            observed = next.map { ObservedItem($0) }
            observed?.begin(for: self)
        }

        /// The id of an item, the same as long as the item lives.
        func id(of item: AVPlayerItem) -> PlayerEvent.ItemID {
            if let known = seen.first(where: { $0.item === item }) { return known.id }
            seen.removeAll { $0.item == nil }
            seenCount += 1
            let id = PlayerEvent.ItemID(number: seenCount)
            seen.append(SeenItem(item: item, id: id))
            return id
        }

        func ended(_ item: AVPlayerItem, at instant: PlaybackInstant) {
            guard let player, item === observed?.item else { return }
            let queue = (player as? AVQueuePlayer)?.items() ?? []
            let next = queue.first { $0 !== item }.flatMap { clip($0) }
            handle(.ended(ItemEnd.Action(player.actionAtItemEnd), next: next?.videoId), at: instant)
        }

        func fail(with error: (any Error)?, isLettingGo: Bool, at instant: PlaybackInstant) {
            guard let failure = FailureCode.choose(error, isLettingGo: isLettingGo) else { return }
            handle(.failed(failure.error, isVague: failure.isVague), at: instant)
        }

        // MARK: Logs and evidence

        func readAccessLog(of item: AVPlayerItem) {
            later { metrics in
                let entries = await metrics.logs.accessLog(of: item)
                metrics.handle(.accessLog(entries, of: metrics.id(of: item)))
                if let last = entries.last { metrics.see(last.evidence, of: item) }
            }
        }

        func readErrorLog(of item: AVPlayerItem) {
            later { metrics in
                let entries = await metrics.logs.errorLog(of: item)
                metrics.handle(.errorLog(count: entries.count, of: metrics.id(of: item)))
                if let last = entries.last { metrics.see(last.evidence, of: item) }
            }
        }

        func see(_ evidence: EdgeEvidence, of item: AVPlayerItem) {
            guard let observed, item === observed.item else { return }
            if !evidence.headers.isEmpty { observed.hasShownHeaders = true }
            // The host of a playlist may be another CDN's than that of the segments.
            guard !evidence.headers.isEmpty || !observed.hasShownHeaders, let edge = edge(evidence) else { return }
            handle(.edge(edge, of: id(of: item)))
        }

        // MARK: The tracker

        func handle(_ event: PlayerEvent) {
            handle(event, at: seams.now())
        }

        func handle(_ event: PlayerEvent, at instant: PlaybackInstant) {
            for closed in tracker.handle(event, at: instant) {
                if let item = observed?.item, closed.item == id(of: item) {
                    let before = completing
                    let itemMetrics = observed?.itemMetrics
                    completing = later { metrics in
                        // In the order in which they closed.
                        await before?.value
                        let witness = await metrics.summary(by: itemMetrics)
                        await metrics.complete(closed.witnessed(by: witness), in: item)
                    }
                } else {
                    record(closed.summary)
                }
            }
        }

        /// The player's own summary, which comes when it has let the item go.
        private func summary(by itemMetrics: AnyObject?) async -> PlayerMetric? {
            guard #available(iOS 18, tvOS 18, macOS 15, visionOS 2, *) else { return nil }
            guard let itemMetrics = itemMetrics as? ItemMetrics, itemMetrics !== observed?.itemMetrics else {
                return nil
            }
            return await itemMetrics.summary(within: seams.summaryWait)
        }

        /// Records a play with what its item's logs hold in the end.
        private func complete(_ closed: ClosedPlay, in item: AVPlayerItem) async {
            let access = await logs.accessLog(of: item)
            let errors = closed.summary.error == nil ? [] : await logs.errorLog(of: item)
            let id = id(of: item)
            let place = seen.firstIndex { $0.id == id }
            let told = place.flatMap { seen[$0].told } ?? []
            record(closed.completed(access: access, errors: errors, told: told, edge: edge))
            if let place { seen[place].told = access }
            handle(.closingLog(access, of: id))
        }

        private func record(_ summary: PlaybackSummary) {
            metrics.record(summary)
            if tracker.isInBackground { whenRecordedInBackground?() }
        }

        /// Does what takes time, and keeps this object until it is done.
        @discardableResult
        private func later(
            _ body: @escaping @MainActor @Sendable (AVPlayerMetrics) async -> Void
        ) -> Task<Void, Never> {
            pendingCount += 1
            let number = pendingCount
            let task = Task {
                await body(self)
                pending[number] = nil
            }
            pending[number] = task
            return task
        }

        /// Runs on the main thread, at once when it is this one, with the time at which it was asked for.
        nonisolated func onMain(
            _ body: @escaping @MainActor @Sendable (AVPlayerMetrics, PlaybackInstant) -> Void
        ) {
            let instant = seams.now()
            MainThread.run { body(self, instant) }
        }
    }
#endif
