import Foundation
import PlayFolding
import PlaybackEvents
import TestSupport

/// A recording of what a player sent (Tests/cases/cmcd/README.md), as its requests.
struct RecordedRequests {
    struct Request: Decodable {
        var receivedAt: Int64
        var method: String
        var query: String
        var contentType: String?
        var headers: [String: String]?
        var body: String
        var answered: Int
    }

    private struct Head: Decodable {
        var heartbeatSeconds: Int64
    }

    /// Those that were taken, in the order of receipt.
    let requests: [Request]
    let heartbeatSeconds: Int64

    static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".ndjson") }.map { String($0.dropLast(7)) }.sorted()

    private static let folder = Checkout.cases.appendingPathComponent("cmcd")

    init(_ name: String) throws {
        let text = try Data(contentsOf: Self.folder.appendingPathComponent("\(name).ndjson"))
        let lines = text.split(separator: UInt8(ascii: "\n"))
        heartbeatSeconds = try JSONDecoder().decode(Head.self, from: lines[0]).heartbeatSeconds
        requests = try lines.dropFirst().map { try JSONDecoder().decode(Request.self, from: $0) }
            .filter { (200..<300).contains($0.answered) }
    }

    /// The query of the address with what the player was told of its heartbeats.
    func query(_ request: Request) -> String {
        (request.query.isEmpty ? "" : request.query + "&") + "heartbeat=\(heartbeatSeconds)"
    }

    /// The plays that a folder makes of them, closed at the end, as lines of the archive.
    func folded() throws -> [String] {
        var folder = PlayFolder()
        var plays: [ClosedPlay] = []
        for (position, request) in requests.enumerated() {
            var line = ReportLine(receivedAt: request.receivedAt, requestId: Identifier128(high: 7, low: 1))
            let items = query(request).split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
            line.context =
                ReportContext.parse(items.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) }).context
            let batch =
                request.headers.map { CMCDParser.parse(headers: $0.values.map { Array($0.utf8) }) }
                ?? (request.body.isEmpty
                    ? CMCDParser.parse(query: Array(request.query.utf8))
                    : CMCDParser.parse(body: Array(request.body.utf8)))
            line.reports = batch?.reports ?? []
            plays += folder.take(line, at: Int64(position))
        }
        plays += folder.closeAll(receivedAt: requests.last?.receivedAt ?? 0, at: Int64(requests.count))
        return plays.map { play in
            var line: [UInt8] = []
            ArchiveLine.append(play.batch, to: &line)
            return String(decoding: line.dropLast(), as: UTF8.self)
        }.sorted()
    }

    /// A file for `qoe load`.
    func loadLines() throws -> Data {
        var file = Data()
        for request in requests {
            var line: [String: Any] = [
                "receivedAt": request.receivedAt, "cmcd": request.body, "query": query(request),
            ]
            if let type = request.contentType { line["contentType"] = type }
            file += try JSONSerialization.data(withJSONObject: line) + Data("\n".utf8)
        }
        return file
    }
}
