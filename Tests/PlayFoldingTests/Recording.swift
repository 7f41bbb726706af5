import Foundation
import PlayFolding
import PlaybackEvents
import TestSupport

/// What a player sent to a collector, and what its plays were (Tests/cases/cmcd/README.md).
struct Recording: Decodable {
    struct Truth: Decodable {
        var startupMs: Int64?
        var stalls: Int64
        var stalledMs: Int64
        var watchedMs: Int64
        var waitedMs: Int64?
        var avgBitrate: Int64?
        var err: String?
        var how: String
    }

    struct Request: Decodable {
        var receivedAt: Int64
        var query: String
        var headers: [String: String]?
        var body: String
        var answered: Int

        /// What the parser makes of it.
        var batch: CMCDBatch? {
            if let headers { return CMCDParser.parse(headers: headers.values.map { Array($0.utf8) }) }
            return CMCDParser.parse(query: Array(query.utf8)) ?? CMCDParser.parse(body: Array(body.utf8))
        }

        var context: ReportContext {
            let items = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
            return ReportContext.parse(items.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) }).context
        }
    }

    var name: String
    var heartbeatSeconds: Int64
    var truth: [Truth]
    var requests: [Request] = []

    private enum CodingKeys: String, CodingKey {
        case name, heartbeatSeconds, truth
    }

    static let folder = Checkout.cases.appendingPathComponent("cmcd")

    static let names: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.filter { $0.hasSuffix(".ndjson") }
        .map { String($0.dropLast(7)) }.sorted() ?? []

    init(_ name: String) throws {
        let text = try Data(contentsOf: Self.folder.appendingPathComponent("\(name).ndjson"))
        let lines = text.split(separator: UInt8(ascii: "\n"))
        self = try JSONDecoder().decode(Recording.self, from: lines[0])
        requests = try lines.dropFirst().map { try JSONDecoder().decode(Request.self, from: $0) }
    }

    /// The lines that the log would have: of the requests that were taken.
    ///
    /// - Parameter taken: takes those too to which the collector of that time gave no 2xx.
    func lines() -> [ReportLine] {
        var lines: [ReportLine] = []
        for request in requests where (200..<300).contains(request.answered) {
            guard let batch = request.batch else { continue }
            var line = ReportLine(
                receivedAt: request.receivedAt, requestId: Identifier128(high: 7, low: UInt64(lines.count)))
            line.context = request.context
            if line.context.heartbeatMs == nil { line.context.heartbeatMs = heartbeatSeconds * 1_000 }
            line.reports = batch.reports
            lines.append(line)
        }
        return lines
    }

    var reports: [CMCDReport] { lines().flatMap(\.reports) }
}

extension Array where Element == ReportLine {
    /// The plays that a folder makes of them, closed at the end of the log.
    func folded(_ folder: PlayFolder = PlayFolder()) -> [ClosedPlay] {
        var folder = folder
        var plays: [ClosedPlay] = []
        for (position, line) in enumerated() { plays += folder.take(line, at: Int64(position)) }
        plays += folder.closeAll(receivedAt: last?.receivedAt ?? 0, at: Int64(count))
        return plays.sorted {
            ($0.play.endedAt, $0.batch.receipt.requestId) < ($1.play.endedAt, $1.batch.receipt.requestId)
        }
    }
}
