import Foundation
import PlaybackMetricsAVFoundation
import PlaybackMetricsClient
import SwiftUI
import UIKit

/// The sample as an app. Put your endpoint and your clips here.
public struct SampleFeedApp: App {
    private static let endpoint = URL(string: "http://127.0.0.1:8080/v1/playback-events")!
    private static let streams = [
        "https://devstreaming-cdn.apple.com/videos/streaming/examples/bipbop_adv_example_hevc/master.m3u8",
        "https://devstreaming-cdn.apple.com/videos/streaming/examples/img_bipbop_adv_example_fmp4/master.m3u8",
        "https://devstreaming-cdn.apple.com/videos/streaming/examples/bipbop_16x9/bipbop_16x9_variant.m3u8",
        "https://devstreaming-cdn.apple.com/videos/streaming/examples/bipbop_4x3/bipbop_4x3_variant.m3u8",
    ]

    private let session = PlaybackSession()
    private let network = NetworkObserver()
    private let sender: PlaybackMetricsSender
    private let lifecycle: AppLifecycle
    @State private var model: FeedModel

    /// The app, whose sender sends from now on.
    public init() {
        var seams = SenderSeams()
        seams.backgroundTime = UIKitBackgroundTime(application: .shared)
        let sender = PlaybackMetricsSender(http: URLSessionHTTPClient(endpoint: Self.endpoint), seams: seams)
        let lifecycle = AppLifecycle(application: .shared, sender: sender, session: session)
        let clips = Self.streams.enumerated().compactMap { number, address in
            URL(string: address).map { Clip(id: "sample-\(number)", url: $0) }
        }
        self.sender = sender
        self.lifecycle = lifecycle
        _model = State(
            initialValue: FeedModel(
                clips: clips, metrics: sender, session: session, network: { [network] in network.network },
                follow: { lifecycle.follow($0) }))
        sender.start()
    }

    /// One window with the feed.
    public var body: some Scene {
        WindowGroup { FeedView(model: model) }
    }
}

#if canImport(UIKit) && DEBUG
    #Preview {
        FeedView(
            model: FeedModel(
                clips: [], metrics: NoOpPlaybackMetrics(), session: PlaybackSession(), network: { nil }))
    }
#endif
