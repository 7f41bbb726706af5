internal import Foundation
internal import PlaybackEvents

/// Decoding and judging requests, and writing their lines, on one core.
enum DecodingPath {
    static func measure(requests: Int, rounds: Int, into table: inout ResultTable) throws {
        var log = SampleLog()
        let bodies = (0..<requests).map { _ in log.nextBody() }
        let plays = Double(log.plays)
        let documents = bodies.prefix(max(1, requests / 20)).map { Data($0.bytes) }
        let share = Double(documents.count) / Double(requests)
        let decoder = JSONDecoder()
        let batches = try bodies.map { try RequestDecoder.decode($0.bytes, receipt: $0.receipt) }
        var lines: [UInt8] = []
        let times = try Rounds(
            rounds,
            [
                { for body in bodies { _ = try RequestDecoder.decode(body.bytes, receipt: body.receipt) } },
                { for document in documents { _ = try decoder.decode(DecodedEvent.Batch.self, from: document) } },
                {
                    lines.removeAll(keepingCapacity: true)
                    for batch in batches { ArchiveLine.append(batch, to: &lines) }
                },
            ])
        let ours = times.median(0) / plays * 1e9
        let foundations = times.median(1) / (plays * share) * 1e9
        let ratio = times.ratio(1, to: 0) / share
        table.add(
            "decode and validate",
            "\(figure(ours)) ns an event of \(figure(log.eventBytes)) bytes; JSONDecoder"
                + " \(figure(foundations)) ns: \(figure(ratio)) ×", ratio, atLeast: 30, "≥ 30 × JSONDecoder")
        table.add(
            "writing the archive's line",
            "\(figure(times.median(2) / plays * 1e9)) ns, \(figure(Double(lines.count) / plays)) bytes")
    }
}
