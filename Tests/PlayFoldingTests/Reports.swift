import PlayFolding
import PlaybackEvents

/// Reports written shortly: `MS NUMBER EVENT STATE` and further keys, one after the other with `;` between them. `-` is
/// nothing, and the time counts from a fixed one.
enum Reports {
    static let base: Int64 = 1_796_000_000_000

    static func parse(_ text: String, sid: String = "session", cid: String = "clip") -> [CMCDReport] {
        let lines = text.split(separator: ";").map { report -> String in
            let words = report.split(separator: " ")
            var members = ["sid=\"\(sid)\"", "cid=\"\(cid)\"", "ts=\(base + (Int64(words[0]) ?? 0))"]
            for (key, word) in zip(["sn", "e", "sta"], words[1...]) where word != "-" {
                members.append("\(key)=\(word)")
            }
            return (members + words.dropFirst(4).map(String.init)).joined(separator: ",")
        }
        return CMCDParser.parse(body: Array(lines.joined(separator: "\n").utf8)).reports
    }

    /// The plays that the reports are.
    static func plays(_ text: String, heartbeatMs: Int64 = 10_000, others: [Int64] = []) -> [PlaySummary] {
        PlayFold.plays(of: parse(text), heartbeatMs: heartbeatMs, others: others.map { base + $0 })
    }

    /// A line of the log that brings reports so many ms after the base.
    static func line(
        at ms: Int64, _ reports: [CMCDReport] = [], key: String = "", heartbeatMs: Int64? = 10_000
    ) -> ReportLine {
        var line = ReportLine(receivedAt: base + ms, requestId: Identifier128(high: 1, low: UInt64(bitPattern: ms)))
        line.reports = reports
        line.keyName = Array(key.utf8)
        line.context.heartbeatMs = heartbeatMs
        return line
    }
}

extension ClosedPlay {
    /// All that is written of it, but for when and where it closed.
    var figures: String {
        let numbers = [
            play.startupMs, play.stalls, play.stalledMs, play.watchedMs, play.waitedMs, play.avgBitrate,
            play.accessLogStartupMs, play.attempt,
        ].map { $0.map(String.init) ?? "-" }
        let texts = [play.error, play.videoId, play.sessionId, play.cdn].map { batch.string($0) ?? "-" }
        return ([play.playId?.uuidText ?? "-", endedBy?.name ?? "-"] + numbers + texts).joined(separator: " ")
    }

    var endedBy: Play.Ending? { play.endedBy }
    var session: String { batch.string(play.sessionId) ?? "" }
    var error: String? { batch.string(play.error) }
}
