internal import Foundation
internal import PlaybackMetricsClient

/// An app with a sender, which does what its arguments say, one after the other, and which a test may kill at any instant.
///
///     sending-app http://127.0.0.1:8080/v1/playback-events FOLDER on record:10 flush say:sent record:40 say:recorded wait
@main
enum SendingApp {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 3, let endpoint = URL(string: arguments[1]) else { exit(64) }
        var configuration = SenderConfiguration()
        configuration.folder = URL(fileURLWithPath: arguments[2])
        configuration.spool = arguments[3] == "on" ? .caches(limit: 500) : .off
        configuration.batchLimit = 7
        configuration.backoffBase = .milliseconds(1)
        configuration.backoffLimit = .milliseconds(5)
        configuration.retryAfterLimit = .milliseconds(5)
        let sender = PlaybackMetricsSender(
            http: URLSessionHTTPClient(endpoint: endpoint), configuration: configuration)
        let session = PlaybackSession()
        for step in arguments.dropFirst(3) {
            let words = step.split(separator: ":", maxSplits: 1).map(String.init)
            switch words[0] {
            case "record":
                for _ in 0..<(Int(words.last ?? "") ?? 0) { sender.record(play(in: session)) }
            case "flush": await sender.flush()
            case "send":
                while sender.stats.queued + sender.stats.earlierQueued > 0 { await sender.flush() }
            case "off": sender.isEnabled = false
            case "say":
                FileHandle.standardOutput.write(Data("\(words.last ?? "")\n".utf8))
            case "wait": try await Task.sleep(for: .seconds(60))
            default: exit(64)
            }
        }
        await sender.stop()
        FileHandle.standardOutput.write(Data("\(sender.stats)\n".utf8))
    }

    private static func play(in session: PlaybackSession) -> PlaybackSummary {
        var context = PlaybackContext(session: session)
        context.cdnRegion = "eu-west"
        var play = PlaybackSummary(videoId: "v1", playId: TimeOrderedIDs.shared.makeID(), context: context)
        play.startupMs = 400
        play.watchedMs = 20_000
        return play
    }
}
