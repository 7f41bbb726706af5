import Foundation
import TestSupport

/// One line of the archive, as a second reader sees it: zcat and Foundation's JSON, nothing of the product.
struct ArchivedPlay {
    let region: String
    let session: String?
    let day: String
    let endedAt: Int
    let receivedAt: Int
    let arrival: Int
    let startupMs: Int?
    let stalls: Int
    let stalledMs: Int
    let watchedMs: Int
    let waitedMs: Int?
    let memoryBytes: Int?
    let error: String?
    let sentBytes: Int?
    let bitrate: Int?

    var started: Bool { startupMs != nil || watchedMs > 0 }

    /// Rounded to the whole byte, half up.
    var estimate: Int? {
        bitrate.map { ($0 * (watchedMs - stalledMs) + 4_000) / 8_000 }
    }

    var bytes: Int? { sentBytes ?? (started ? estimate : 0) }
    var isEstimated: Bool { sentBytes == nil && started && bitrate != nil }

    /// Every play of an archive that a CDN served: of those with one id the first.
    static func all(inArchiveOf data: String) throws -> [ArchivedPlay] {
        let files = try BuiltProgram.run("sh", ["-c", "zcat $(find \(data)/archive -name '*.gz' | sort -t- -k5)"])
        var seen: Set<String> = []
        var plays: [ArchivedPlay] = []
        for (place, line) in files.output.split(separator: "\n").enumerated() {
            guard let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                json["videoId"] != nil, json["source"] as? String != "download"
            else { continue }
            if let id = json["playId"] as? String, !seen.insert(id).inserted { continue }
            plays.append(ArchivedPlay(json, arrival: place))
        }
        return plays
    }

    private init(_ json: [String: Any], arrival: Int) {
        func number(_ key: String) -> Int? { (json[key] as? NSNumber)?.intValue }
        region = json["cdnRegion"] as? String ?? "(unknown)"
        session = json["sessionId"] as? String
        endedAt = number("endedAt") ?? 0
        receivedAt = number("receivedAt") ?? 0
        self.arrival = arrival
        startupMs = number("startupMs")
        stalls = number("stalls") ?? 0
        stalledMs = number("stalledMs") ?? 0
        watchedMs = number("watchedMs") ?? 0
        waitedMs = number("waitedMs")
        memoryBytes = number("memoryBytes")
        error = json["error"] as? String
        sentBytes = number("bytes")
        bitrate = number("avgBitrate")
        let date = Date(timeIntervalSince1970: Double(endedAt / 1_000))
        day = date.ISO8601Format(.init(timeZone: .gmt).year().month().day())
    }
}
