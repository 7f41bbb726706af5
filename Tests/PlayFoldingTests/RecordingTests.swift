import Foundation
import PlayFolding
import PlaybackEvents
import TestSupport
import Testing

@Suite("Recordings of players that speak CMCD")
struct RecordingTests {
    /// What comes out where a player says something else than what happened; the corpus' README gives the reasons.
    private struct Said {
        var startupMs: Int64?
        var stalls: Int64 = 0
        var stalledMs: Int64 = 0
        var watchedMs: Int64 = 0
        var error: String?
    }

    private static let exceptions: [String: [Said]] = [
        "dash2-abr2": [Said(startupMs: 794, stalls: 1, stalledMs: 372, watchedMs: 26_337)],
        "dash2-preload": [Said(startupMs: 4_007, watchedMs: 5_992)],
        "dash2-replay": [Said(startupMs: 748, watchedMs: 12_175), Said(startupMs: 4)],
        "hls-c410": [],
        "hls-navkeep": [Said(startupMs: 864, watchedMs: 6_138)],
        "hls-navnokeep": [Said(startupMs: 1_906, watchedMs: 6_191)],
        "hls-retry": [Said(error: "manifestLoadError"), Said(watchedMs: 4_083)],
        "hold-dash2-leave": [Said(startupMs: 977, stalls: 1, stalledMs: 4_974, watchedMs: 11_058)],
        "hold-hls-leave": [Said(startupMs: 1_143, stalls: 1, stalledMs: 687, watchedMs: 10_825)],
        "hold-shaka-leave": [Said(startupMs: 803, stalls: 1, stalledMs: 5_079, watchedMs: 11_146)],
        "hold-shaka-twostalls": [Said(startupMs: 1_089, stalls: 3, stalledMs: 6_330, watchedMs: 27_563)],
        "shaka-404": [Said(startupMs: 567, watchedMs: 3_531, error: "fatal")],
        "shaka-autoend404": [Said(startupMs: 897, watchedMs: 3_191, error: "fatal")],
        "shaka-coff": [Said(watchedMs: 6_000)],
        "shaka-init404": [Said(error: "fatal")],
        "shaka-manifest503": [Said()],
        // It begins to count before it plays, so what it watched begins 33 ms early.
        "shaka-pausestart": [Said(startupMs: 1_262, watchedMs: 3_287)],
        "shaka-preload": [Said(startupMs: 3_986, watchedMs: 6_015)],
        "shaka-retry": [Said(), Said()],
        "shaka-swap": [Said(startupMs: 943, watchedMs: 4_083), Said(startupMs: 525)],
    ]

    @Test("become the plays that happened", arguments: Recording.names)
    func truth(name: String) throws {
        let recording = try Recording(name)
        let plays = recording.lines().folded()
        if let said = Self.exceptions[name] {
            try #require(plays.count == said.count)
            for (play, said) in zip(plays, said) {
                #expect(play.play.startupMs == said.startupMs)
                #expect(play.play.stalls == said.stalls && play.play.stalledMs == said.stalledMs)
                #expect(play.play.watchedMs == said.watchedMs)
                #expect(play.error == said.error)
            }
            return
        }
        try #require(plays.count == recording.truth.count)
        let last = recording.reports.max { ($0.ts, $0.sn ?? 0) < ($1.ts, $1.sn ?? 0) }
        for (index, (play, truth)) in zip(plays, recording.truth).enumerated() {
            #expect((play.play.startupMs == nil) == (truth.startupMs == nil))
            #expect(abs((play.play.startupMs ?? 0) - (truth.startupMs ?? 0)) <= 60)
            #expect(play.play.stalls == truth.stalls)
            #expect(abs(play.play.stalledMs - truth.stalledMs) <= 10 * truth.stalls)
            #expect(play.error == truth.err)
            let isLast = index == plays.count - 1
            if play.endedBy == .reported || (isLast && last?.state == CMCDToken("a")) {
                #expect(abs(play.play.watchedMs - truth.watchedMs) <= 20)
            }
        }
    }

    @Test("are eighty-eight, and those with exceptions are among them")
    func completeness() {
        #expect(Recording.names.count == 88)
        #expect(Set(Self.exceptions.keys).isSubset(of: Recording.names))
    }

    @Test("stand in the documentation as they come out")
    func table() throws {
        let article = try String(
            contentsOf: Checkout.root.appendingPathComponent("Sources/qoe/qoe.docc/PlaysFromReports.md"),
            encoding: .utf8)
        let table = try Self.makeTable()
        if let path = ProcessInfo.processInfo.environment["QOE_RECORDINGS_TABLE"] {
            try table.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(article.contains(table), "QOE_RECORDINGS_TABLE=FILE writes the table that belongs there")
    }

    /// Every recording, the truth against the fold.
    private static func makeTable() throws -> String {
        var rows = [
            "| recording | startup | stalls | stalled | watched | waited | error | ended by |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        func pair(_ truth: Int64?, _ fold: Int64?) -> String {
            "\(truth.map(String.init) ?? "–") / \(fold.map(String.init) ?? "–")"
        }
        for name in Recording.names {
            let recording = try Recording(name)
            let plays = recording.lines().folded()
            for index in 0..<max(plays.count, recording.truth.count) {
                let truth = index < recording.truth.count ? recording.truth[index] : nil
                let play = index < plays.count ? plays[index] : nil
                let cells = [
                    index == 0 ? "`\(name)`" : "",
                    pair(truth?.startupMs, play?.play.startupMs), pair(truth?.stalls, play?.play.stalls),
                    pair(truth?.stalledMs, play?.play.stalledMs), pair(truth?.watchedMs, play?.play.watchedMs),
                    pair(truth?.waitedMs, play?.play.waitedMs),
                    "\(truth?.err ?? "–") / \(play?.error ?? "–")", play?.endedBy?.name ?? "–",
                ]
                rows.append("| \(cells.joined(separator: " | ")) |")
            }
        }
        return rows.joined(separator: "\n")
    }
}
