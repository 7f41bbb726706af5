#if canImport(AVFoundation)
    public import AVFoundation
    import Foundation

    /// Which clip is in which item, for an app that has no better place to keep it.
    ///
    /// An `AVPlayerLooper` plays copies of the item that it was given: they find their clip by the asset that they share.
    ///
    /// ```swift
    /// let clips = PlaybackClips()
    /// clips[item] = PlaybackClip(videoId: "clip-81") { PlaybackContext(session: session) }
    /// let looper = AVPlayerLooper(player: queuePlayer, templateItem: item)
    /// let observation = AVPlayerMetrics(player: queuePlayer, metrics: metrics) { clips[$0] }
    /// ```
    @MainActor
    public final class PlaybackClips {
        private struct Entry {
            weak var asset: AVAsset?
            var clip: PlaybackClip
        }

        private var entries: [ObjectIdentifier: Entry] = [:]

        /// No clip yet.
        public init() {}

        /// The clip of an item, or of another item with the same asset; `nil` takes it away. Items are not kept alive.
        public subscript(item: AVPlayerItem) -> PlaybackClip? {
            get {
                let asset = item.asset
                if let entry = entries[ObjectIdentifier(asset)], entry.asset === asset { return entry.clip }
                guard let url = (asset as? AVURLAsset)?.url else { return nil }
                return entries.values.first { ($0.asset as? AVURLAsset)?.url == url }?.clip
            }
            set {
                entries = entries.filter { $0.value.asset != nil }
                let asset = item.asset
                entries[ObjectIdentifier(asset)] = newValue.map { Entry(asset: asset, clip: $0) }
            }
        }
    }
#endif
