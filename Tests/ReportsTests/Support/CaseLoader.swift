import Foundation
import SQLite
import TestSupport

/// Puts a case's requests into a ``PlayTable``: as much of acceptance as these inputs need.
struct CaseLoader {
    private var plays: [StoredPlay] = []
    private var known: Set<String> = []
    private var arrivals: Int64 = 0
    private var accounts: [String] = []

    static func load(_ name: String) throws -> PlayTable {
        let url = Checkout.cases.appendingPathComponent("reports/\(name)/input.ndjson")
        let text = try String(contentsOf: url, encoding: .utf8)
        var loader = CaseLoader()
        for line in text.split(separator: "\n") {
            guard let request = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                continue
            }
            loader.accept(request)
        }
        let table = try PlayTable(loader.plays)
        for account in loader.accounts { try table.connection.execute("INSERT INTO accounts VALUES (\(account))") }
        return table
    }

    private mutating func accept(_ request: [String: Any]) {
        guard let body = request["body"] as? [String: Any], let receivedAt = integer(request["receivedAt"]) else {
            return
        }
        let first = arrivals + 1
        let context = body["context"] as? [String: Any] ?? [:]
        let header = request["regionHeader"] as? String
        let events = body["events"] as? [Any] ?? []
        for event in events {
            guard let event = event as? [String: Any],
                let play = play(event, context, header: header, receivedAt: receivedAt)
            else { continue }
            arrivals += 1
            guard play.playIdMade || known.insert(play.playId).inserted else { continue }
            plays.append(play)
            plays[plays.count - 1].arrival = arrivals
        }
        guard events.isEmpty || arrivals >= first, let sender = body["sender"] as? [String: Any],
            let id = sender["senderId"] as? String
        else { return }
        let totals = ["sequence", "made", "dropped", "rejected"].map { integer(sender[$0]) ?? 0 }.map(String.init)
        accounts.append(
            "\(accounts.count + 1), \(first), \(arrivals), '\(id)', \(totals.joined(separator: ", ")), \(receivedAt)")
    }

    private func play(
        _ event: [String: Any], _ context: [String: Any], header: String?, receivedAt: Int64
    ) -> StoredPlay? {
        guard let videoId = event["videoId"] as? String, !videoId.isEmpty, let stalls = integer(event["stalls"]),
            stalls >= 0,
            let stalledMs = integer(event["stalledMs"]), let watchedMs = integer(event["watchedMs"]),
            stalledMs >= 0, stalledMs <= watchedMs,
            event["startupMs"] == nil || integer(event["startupMs"]) != nil
                || event["startupMs"] is NSNull, integer(event["startupMs"]) ?? 0 <= 3_600_000,
            integer(event["startupMs"]) ?? 0 >= 0, event["network"] == nil || event["network"] is String
        else { return nil }
        let text = { (name: String) in event[name] as? String ?? context[name] as? String }
        var play = StoredPlay(videoId: videoId, stalls: stalls, stalledMs: stalledMs, watchedMs: watchedMs)
        play.playId = (event["playId"] as? String)?.lowercased() ?? "made-\(arrivals)"
        play.playIdMade = event["playId"] == nil
        play.sessionId = text("sessionId")
        play.cdn = text("cdn")
        play.network = text("network")
        play.source = text("source")
        play.appVersion = text("appVersion")
        play.cdnRegion = text("cdnRegion") ?? header
        play.regionFrom =
            event["cdnRegion"] != nil
            ? "event" : context["cdnRegion"] != nil ? "context" : header != nil ? "header" : nil
        play.tags = context["tags"] as? [String: String] ?? [:]
        play.startupMs = integer(event["startupMs"])
        play.avgBitrate = (event["avgBitrate"] as? NSNumber).map { Int64(($0.doubleValue + 0.5).rounded(.down)) }
        play.sentBytes = integer(event["bytes"])
        play.waitedMs = integer(event["waitedMs"])
        play.memoryBytes = integer(event["memoryBytes"])
        play.errorCode = event["error"] as? String
        if let error = event["error"] as? [String: Any] {
            play.errorCode = "\(error["domain"] ?? "")#\(error["code"] ?? "")"
        }
        play.receivedAt = receivedAt
        (play.endedAt, play.clockSkewed) = time(event, receivedAt: receivedAt)
        return play
    }

    private func time(_ event: [String: Any], receivedAt: Int64) -> (Int64, Bool) {
        let month: Int64 = 30 * 86_400_000
        if let age = integer(event["ageMs"]) { return age <= month ? (receivedAt - age, false) : (receivedAt, true) }
        guard let text = event["endedAt"] as? String else {
            guard let number = integer(event["endedAt"]) else { return (receivedAt, false) }
            return believed(number, receivedAt)
        }
        let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? withFraction.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)) else {
            return (receivedAt, false)
        }
        return believed(Int64((date.timeIntervalSince1970 * 1_000).rounded()), receivedAt)
    }

    private func believed(_ ended: Int64, _ receivedAt: Int64) -> (Int64, Bool) {
        let isBelieved = ended >= receivedAt - 30 * 86_400_000 && ended <= receivedAt + 300_000
        return isBelieved ? (min(ended, receivedAt), false) : (receivedAt, true)
    }

    private func integer(_ value: Any?) -> Int64? {
        guard let number = value as? NSNumber, number.doubleValue.rounded() == number.doubleValue else { return nil }
        return number.int64Value
    }
}
