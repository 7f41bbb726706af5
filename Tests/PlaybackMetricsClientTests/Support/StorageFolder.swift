import Foundation

@testable import PlaybackMetricsClient

/// A folder for sender report and spool, on a device whose clock of the boot and whose own clock a test sets.
final class StorageFolder {
    let url: URL
    let boot = Mutable<(id: UInt64, time: Duration)>((1, .seconds(1_000)))
    let wallClock = Mutable(Date(timeIntervalSince1970: 1_796_000_000))
    let logged = Mutable<[String]>([])
    let ids = NumberedIDs()

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "qoe-\(UUID().uuidString)", isDirectory: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of the files that are there.
    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    /// What is in the files, by their names.
    var contents: [String: Data] {
        get throws {
            Dictionary(uniqueKeysWithValues: try files.map { ($0, try Data(contentsOf: path($0))) })
        }
    }

    func path(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// A run of the app. The one before is over when its sender has been released.
    func sender(
        _ http: any HTTPClient, spool: PlaybackSpool = .off, change: (inout SenderConfiguration) -> Void = { _ in }
    ) -> PlaybackMetricsSender {
        var configuration = SenderConfiguration()
        configuration.folder = url
        configuration.spool = spool
        change(&configuration)
        let boot = boot.value
        var seams = SenderSeams()
        seams.clock = ManualClock()
        seams.ids = ids
        seams.bootClock = BootClock(id: boot.id) { boot.time }
        seams.wallClock = { [wallClock] in wallClock.value }
        seams.log = { [logged] line in logged.update { $0.append(line) } }
        return PlaybackMetricsSender(http: http, configuration: configuration, seams: seams)
    }
}
