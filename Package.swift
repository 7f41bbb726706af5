// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// `make` says which commit it builds. It reaches one file of C alone, so that another commit compiles nothing else anew.
let commit = Context.environment["QOE_COMMIT"].flatMap { commit in
    commit.wholeMatch(of: /[0-9a-z-]+/) == nil ? nil : commit
}

let package = Package(
    name: "video-qoe",
    platforms: [.iOS(.v17), .tvOS(.v17), .macOS(.v14), .visionOS(.v1)],
    products: [
        .library(name: "PlaybackMetricsClient", targets: ["PlaybackMetricsClient"]),
        .library(name: "PlaybackMetricsAVFoundation", targets: ["PlaybackMetricsAVFoundation"]),
        .executable(name: "qoe", targets: ["qoe"]),
        .executable(name: "qoe-simulate", targets: ["qoe-simulate"]),
    ],
    targets: [
        // In the app.
        .target(
            name: "PlaybackMetricsClient", resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: strict),
        .target(
            name: "PlaybackMetricsAVFoundation", dependencies: ["PlaybackMetricsClient"], swiftSettings: strict),

        // On the server, from the bottom up.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .target(name: "CBuild", cSettings: commit.map { [.define("QOE_COMMIT", to: $0)] }),
        .target(name: "Platform", swiftSettings: strict),
        .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: strict),
        .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
        .target(name: "PlaybackEvents", dependencies: ["Platform"], swiftSettings: strict),
        .target(name: "PlayFolding", dependencies: ["PlaybackEvents"], swiftSettings: strict),
        .target(name: "Archive", dependencies: ["PlaybackEvents", "Gzip", "Platform"], swiftSettings: strict),
        .target(name: "Suggestions", swiftSettings: strict),
        .target(name: "Reports", dependencies: ["Suggestions", "Platform"], swiftSettings: strict),
        .target(name: "ClickHouse", dependencies: ["Gzip", "Platform"], swiftSettings: strict),
        .target(
            name: "PlayStore", dependencies: ["PlaybackEvents", "Archive", "Reports", "SQLite", "Platform"],
            swiftSettings: strict),
        .target(
            name: "PlayStoreClickHouse",
            dependencies: ["PlayStore", "ClickHouse", "PlaybackEvents", "Archive", "Reports", "SQLite"],
            swiftSettings: strict),
        .target(name: "HTTPServing", dependencies: ["Platform"], swiftSettings: strict),
        .target(
            name: "Ingest",
            dependencies: [
                "PlaybackEvents", "PlayFolding", "Archive", "PlayStore", "PlayStoreClickHouse", "Reports",
                "HTTPServing",
                "Gzip", "Platform",
            ],
            resources: [.embedInCode("Web/qoe-video.js")], swiftSettings: strict),

        // Commands.
        .target(name: "CommandLineTool", dependencies: ["Suggestions", "Platform"], swiftSettings: strict),
        .executableTarget(
            name: "qoe",
            dependencies: [
                "Ingest", "PlayStore", "PlayStoreClickHouse", "Reports", "Archive", "PlaybackEvents", "HTTPServing",
                "SQLite", "ClickHouse", "CommandLineTool", "Platform", "CMalloc", "CBuild",
            ],
            resources: [
                .embedInCode("SampleConfigs/qoe.service"), .embedInCode("SampleConfigs/qoe-export.service"),
                .embedInCode("SampleConfigs/qoe-export.timer"), .embedInCode("SampleConfigs/qoe-nginx.conf"),
                .embedInCode("SampleConfigs/prometheus.yml"), .embedInCode("SampleConfigs/qoe-alerts.yml"),
                .embedInCode("SampleConfigs/Dockerfile"), .embedInCode("SampleConfigs/qoe-kubernetes.yml"),
                .embedInCode("SampleConfigs/qoe-failed@.service"),
                .embedInCode("SampleConfigs/qoe-grafana-datasources.yml"),
                .embedInCode("SampleConfigs/qoe-grafana-dashboards.yml"),
                .embedInCode("SampleConfigs/qoe-operator.json"), .embedInCode("SampleConfigs/qoe-reports.json"),
            ],
            swiftSettings: strict),
        .target(
            name: "PlaybackSimulation", dependencies: ["PlaybackMetricsClient"], swiftSettings: strict),
        .executableTarget(
            name: "qoe-simulate",
            dependencies: ["PlaybackSimulation", "PlaybackMetricsClient", "CommandLineTool", "Platform"],
            swiftSettings: strict),
        .executableTarget(
            name: "qoe-benchmarks",
            dependencies: [
                "PlaybackMetricsClient", "PlaybackEvents", "PlayFolding", "Archive", "PlayStore", "Reports", "Ingest",
                "Gzip", "HTTPServing", "SQLite", "CommandLineTool", "Platform", "CMalloc",
            ],
            exclude: ["Peers"], swiftSettings: strict),

        // Tests.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .target(
            name: "StoreTestSupport",
            dependencies: ["PlayStore", "Archive", "PlaybackEvents", "SQLite", "TestSupport"],
            path: "Tests/StoreTestSupport", swiftSettings: strict),
        .testTarget(
            name: "PlaybackMetricsClientTests",
            dependencies: ["PlaybackMetricsClient", "TestSupport"],
            exclude: ["Transport/loopback_server.py", "Interface/PlaybackMetricsClient.interface.txt"],
            swiftSettings: strict),
        .testTarget(
            name: "SimulateTests",
            dependencies: [
                "PlaybackSimulation", "PlaybackMetricsClient", "PlaybackEvents", "TestSupport", "qoe-simulate",
            ],
            swiftSettings: strict),
        .testTarget(name: "SuggestionsTests", dependencies: ["Suggestions"], swiftSettings: strict),
        .testTarget(
            name: "BenchmarksTests", dependencies: ["TestSupport", "qoe-benchmarks", "qoe"], swiftSettings: strict),
        .testTarget(
            name: "CommandLineToolTests", dependencies: ["CommandLineTool", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PlaybackMetricsAVFoundationTests",
            dependencies: ["PlaybackMetricsAVFoundation", "PlaybackMetricsClient", "TestSupport"],
            exclude: ["Adapter", "Fakes", "Samples", "PlaybackMetricsAVFoundation.interface.txt"],
            swiftSettings: strict),
        .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "GzipTests", dependencies: ["Gzip", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ClickHouseTests", dependencies: ["ClickHouse", "Gzip", "HTTPServing", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "PlaybackEventsTests",
            dependencies: ["PlaybackEvents", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "PlayFoldingTests",
            dependencies: ["PlayFolding", "PlaybackEvents", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ArchiveTests",
            dependencies: ["Archive", "Gzip", "PlaybackEvents", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["Reports", "SQLite", "PlayStore", "Archive", "PlaybackEvents", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "PlayStoreTests",
            dependencies: [
                "PlayStore", "Archive", "PlaybackEvents", "Reports", "SQLite", "Gzip", "StoreTestSupport",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PlayStoreClickHouseTests",
            dependencies: [
                "PlayStoreClickHouse", "PlayStore", "Archive", "PlaybackEvents", "Reports", "SQLite", "ClickHouse",
                "Gzip", "StoreTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPServingTests", dependencies: ["HTTPServing", "Platform", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "IngestTests",
            dependencies: [
                "Ingest", "HTTPServing", "PlaybackEvents", "PlayFolding", "Archive", "PlayStore", "PlayStoreClickHouse",
                "SQLite", "ClickHouse", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ProjectTests", dependencies: ["PlaybackEvents", "SQLite", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["PlaybackMetricsClient", "HTTPServing", "SQLite", "TestSupport", "sending-app"],
            exclude: ["KnownTruths/compare_plays.py"], swiftSettings: strict),
        // An app with a sender, to be killed by tests.
        .executableTarget(
            name: "sending-app", dependencies: ["PlaybackMetricsClient"], path: "Tests/SendingApp",
            swiftSettings: strict),
        // With ClickHouse: `make test-clickhouse`, and what one process can show `make test` too.
        .testTarget(
            name: "EngineTests", dependencies: ["TestSupport"],
            exclude: ["chdb_server.py", "engine-requirements.txt", "faulty_proxy.py"], swiftSettings: strict),
        // With other people's programs; runs by `make test-tools` alone.
        .testTarget(
            name: "ToolTests", dependencies: ["PlaybackMetricsClient", "SQLite", "TestSupport"],
            exclude: [
                "read_archive.py", "read_back.py", "reader-requirements.txt", "spark-requirements.txt", "Web/Pages",
                "Android/Stubs", "Android/Run.kt",
            ],
            swiftSettings: strict),
    ]
)
