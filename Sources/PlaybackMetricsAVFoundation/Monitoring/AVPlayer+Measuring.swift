#if canImport(AVFoundation)
    public import AVFoundation
    public import PlaybackMetricsClient
    #if canImport(UIKit)
        import UIKit
    #endif

    extension AVPlayer {
        /// Measures a clip: the one in the player's item when nothing was said of that yet, else the one that it gets next.
        ///
        /// Say it before the player gets the item, for every clip anew. The player is observed until it goes, and on Apple's
        /// mobile systems the app's way to the background is followed.
        ///
        /// - Parameters:
        ///   - clip: which clip it is, and what the app knows of it. Session, versions, device and network are filled in where
        ///     it says nothing.
        ///   - monitoring: takes the plays; the latest that was started when it is `nil`.
        /// - Returns: the player's metrics, for seeks and presentations that the app announces; `nil` before
        ///   ``PlaybackMonitoring/start(endpoint:writeKey:configuration:seams:)``.
        @discardableResult
        public func measure(_ clip: PlaybackClip, with monitoring: PlaybackMonitoring? = nil) -> AVPlayerMetrics? {
            guard let monitoring = monitoring ?? .current else { return nil }
            return MeasuredPlayers.shared.measure(self, clip, with: monitoring)
        }

        /// Lets the clip go and observes the player no more; it need not be called for a player that goes.
        ///
        /// Every play is recorded when this returns.
        public func stopMeasuring() async {
            await MeasuredPlayers.shared.take(self)?.stop()
        }
    }

    /// The players that are measured by ``AVPlayer/measure(_:with:)``, as long as they live.
    @MainActor
    final class MeasuredPlayers {
        static let shared = MeasuredPlayers()

        /// The clips of one player's items.
        private final class Clips {
            private var known: [(item: Weak<AVPlayerItem>, clip: PlaybackClip)] = []
            private var next: PlaybackClip?

            func isKnown(_ item: AVPlayerItem) -> Bool { known.contains { $0.item.object === item } }

            func expect(_ clip: PlaybackClip) { next = clip }

            /// The clip in an item; what was said of the next one holds for the first that is asked about.
            func clip(in item: AVPlayerItem) -> PlaybackClip? {
                if let found = known.first(where: { $0.item.object === item }) { return found.clip }
                guard let clip = next else { return nil }
                next = nil
                known.removeAll { $0.item.object == nil }
                known.append((Weak(object: item), clip))
                return clip
            }
        }

        private struct Weak<Object: AnyObject> {
            weak var object: Object?
        }

        /// Tied to a player, it goes with it.
        private final class PlayerEnd {
            deinit {
                Task { @MainActor in MeasuredPlayers.shared.forgetGone() }
            }
        }

        private struct Measured {
            let player: Weak<AVPlayer>
            let monitoring: PlaybackMonitoring
            let clips: Clips
            let metrics: AVPlayerMetrics
        }

        private let network = NetworkObserver()
        private var players: [Measured] = []
        #if canImport(UIKit)
            // A lifecycle keeps both, so that no address of theirs becomes another's.
            private var lifecycles: [Followed: AppLifecycle] = [:]

            private struct Followed: Hashable {
                let sender: ObjectIdentifier
                let session: ObjectIdentifier
            }
        #endif

        func measure(_ player: AVPlayer, _ clip: PlaybackClip, with monitoring: PlaybackMonitoring) -> AVPlayerMetrics {
            let clip = clip.completed(in: monitoring.session) { [network] in network.network }
            if let place = players.firstIndex(where: { $0.player.object === player }) {
                let measured = players[place]
                let isForNext = player.currentItem.map(measured.clips.isKnown) ?? true
                if isForNext, measured.monitoring === monitoring {
                    measured.clips.expect(clip)
                    return measured.metrics
                }
                // The item that is there came before anything was said of it, or goes to another sender now: begin anew.
                finish(take(player))
            }
            let clips = Clips()
            clips.expect(clip)
            let metrics = AVPlayerMetrics(player: player, metrics: monitoring, edge: { CDNEdge.known($0) }) {
                clips.clip(in: $0)
            }
            players.append(
                Measured(player: Weak(object: player), monitoring: monitoring, clips: clips, metrics: metrics))
            // The key is an address that nobody else has.
            objc_setAssociatedObject(
                player, Unmanaged.passUnretained(self).toOpaque(), PlayerEnd(), .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
            follow(metrics, monitoring)
            return metrics
        }

        /// The metrics of a player, which is no longer measured here.
        func take(_ player: AVPlayer) -> AVPlayerMetrics? {
            guard let place = players.firstIndex(where: { $0.player.object === player }) else { return nil }
            return players.remove(at: place).metrics
        }

        /// The metrics of a player that is measured here.
        func metrics(of player: AVPlayer) -> AVPlayerMetrics? {
            players.first { $0.player.object === player }?.metrics
        }

        /// What the player that was measured last does now.
        var live: LivePlay? {
            players.last { $0.metrics.live != nil }?.metrics.live
        }

        /// Closes what a player left open that is gone.
        fileprivate func forgetGone() {
            for gone in players where gone.player.object == nil { finish(gone.metrics) }
            players.removeAll { $0.player.object == nil }
        }

        private func finish(_ metrics: AVPlayerMetrics?) {
            guard let metrics else { return }
            Task { await metrics.stop() }
        }

        private func follow(_ metrics: AVPlayerMetrics, _ monitoring: PlaybackMonitoring) {
            #if canImport(UIKit)
                let key = Followed(
                    sender: ObjectIdentifier(monitoring.sender), session: ObjectIdentifier(monitoring.session))
                let lifecycle =
                    lifecycles[key]
                    ?? AppLifecycle(application: .shared, sender: monitoring.sender, session: monitoring.session)
                lifecycles[key] = lifecycle
                lifecycle.follow(metrics)
            #endif
        }
    }
#endif
