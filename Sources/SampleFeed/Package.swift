// swift-tools-version: 6.2
import PackageDescription

// Xcode opens this folder. FeedView's preview runs the feed in a simulator; an app target of two lines runs it on a device:
//
//     import SampleFeed
//     SampleFeedApp.main()
let package = Package(
    name: "SampleFeed",
    platforms: [.iOS(.v17)],
    products: [.library(name: "SampleFeed", targets: ["SampleFeed"])],
    dependencies: [.package(name: "video-qoe", path: "../..")],
    targets: [
        .target(
            name: "SampleFeed",
            dependencies: [
                .product(name: "PlaybackMetricsClient", package: "video-qoe"),
                .product(name: "PlaybackMetricsAVFoundation", package: "video-qoe"),
            ],
            path: "Feed", swiftSettings: [.defaultIsolation(MainActor.self)])
    ]
)
