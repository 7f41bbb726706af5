import Foundation
import Reports

/// The figures of one group as CSV cells.
struct OracleGroup {
    var plays: [StoredPlay]
    var targetMs: Int64

    private var started: [StoredPlay] { plays.filter(\.isStarted) }
    private var startups: [Int64] { plays.compactMap(\.startupMs).sorted() }

    func rows(_ metric: ReportMetric) -> [[String]] {
        switch metric {
        case .summary:
            return [
                [count(plays.count), count(started.count), count(startups.count)] + percentiles
                    + [within.0, count(watched), rebuffer.0, rebuffer.1, rebuffer.2, stallsPerHour.0]
                    + failure { $0.errorCode != nil } + [exits[0], count(sessions.count)] + dataPerSession + memory
                    + [count(plays.count(where: isLate))]
            ]
        case .startup:
            return [
                [count(plays.count), count(startups.count)] + percentiles
                    + [count(targetMs), within.0, within.1, within.2] + exits + [count(quickExits)]
            ]
        case .rebuffering:
            let stalled = started.count { $0.stalls > 0 }
            let ends = OracleStatistics.share(clusters(\.isStarted) { $0.stalls > 0 ? 1 : 0 })
            return [
                [
                    count(started.count), count(watched), count(started.reduce(0) { $0 + $1.stalledMs }),
                    count(started.reduce(0) { $0 + $1.stalls }), rebuffer.0, rebuffer.1, rebuffer.2, stallsPerHour.0,
                    stallsPerHour.1, stallsPerHour.2, count(stalled), ratio(stalled, started.count), six(ends.0),
                    six(ends.1),
                ]
            ]
        case .failures:
            let kinds = Dictionary(grouping: plays.filter { $0.errorCode != nil }) {
                "\($0.errorCode ?? "")\u{0}\($0.isStarted ? 1 : 0)"
            }
            let order = kinds.values.sorted { one, other in
                if one.count != other.count { return one.count > other.count }
                if one[0].errorCode != other[0].errorCode {
                    return (one[0].errorCode ?? "").utf8.lexicographicallyPrecedes((other[0].errorCode ?? "").utf8)
                }
                return !one[0].isStarted
            }
            return order.map { failed in
                [
                    failed[0].errorCode ?? "", failed[0].isStarted ? "playback" : "start", count(failed.count),
                    count(plays.count),
                ]
                    + failure { $0.errorCode == failed[0].errorCode && $0.isStarted == failed[0].isStarted }
            }
        case .sessions:
            let bytes = sessions.map(\.bytes).reduce(0, +)
            let estimated = sessions.map(\.estimated).reduce(0, +)
            let rated = started.filter { $0.avgBitrate != nil }
            let ends = OracleStatistics.ratio(sessions.map { (1, Double($0.bytes)) })
            return [
                [
                    count(sessions.count), count(bytes), count(estimated), ratio(estimated, bytes), dataPerSession[0],
                    whole(ends.0), whole(ends.1), dataPerSession[1], dataPerSession[2],
                    quotient(
                        8_000 * rated.reduce(0) { $0 + ($1.estimate ?? 0) },
                        rated.reduce(0) { $0 + $1.watchedMs - $1.stalledMs }),
                    count(memories.count),
                ] + memory
            ]
        case .quality:
            let stallsCompared = started.filter { $0.playerStalls != nil || $0.playerStalledMs != nil }
            let compared = plays.filter { $0.startupMs != nil && $0.accessLogStartupMs != nil }
            return [
                [
                    plays.count, plays.count { $0.playIdMade }, plays.count { $0.sessionId == nil },
                    plays.count { $0.cdnRegion == nil }, plays.count { $0.regionFrom == "event" },
                    plays.count { $0.regionFrom == "context" }, plays.count { $0.regionFrom == "header" },
                    plays.count { $0.clockSkewed }, plays.count(where: isLate),
                    started.count { $0.startupMs == nil }, compared.count,
                    compared.count { abs(($0.startupMs ?? 0) - ($0.accessLogStartupMs ?? 0)) > 250 },
                    stallsCompared.count,
                    stallsCompared.count {
                        $0.playerStalls ?? $0.stalls != $0.stalls
                            || abs(($0.playerStalledMs ?? $0.stalledMs) - $0.stalledMs) > 250
                    },
                    plays.count { $0.attempt ?? 1 >= 2 }, plays.count { $0.attempt ?? 1 >= 2 && $0.errorCode != nil },
                ].map(count)
            ]
        case .histogram:
            let ends =
                Array(stride(from: 50, through: 1_000, by: 50)) + stride(from: 1_100, through: 3_000, by: 100)
                + stride(from: 3_500, through: 10_000, by: 500) + [15_000, 30_000, 60_000, 3_600_000]
            let bins = ends.indices.map { index in
                (ends[index], startups.count { $0 <= ends[index] && (index == 0 || $0 > ends[index - 1]) })
            }
            guard let first = bins.firstIndex(where: { $0.1 > 0 }), let last = bins.lastIndex(where: { $0.1 > 0 })
            else { return [] }
            return bins[first...last].map { [count($0.0), count($0.1)] }
        case .delivery, .volume: return []
        }
    }

    // MARK: Plays

    private func isLate(_ play: StoredPlay) -> Bool {
        play.receivedAt > (play.endedAt / 86_400_000 + 1) * 86_400_000 + 3_600_000
    }

    private var percentiles: [String] {
        [(50, 0.5), (95, 0.95)].flatMap { percent, p -> [String] in
            let sorted = startups
            guard !sorted.isEmpty else { return ["", "", ""] }
            let found = sorted[Int((Double(sorted.count * percent) / 100).rounded(.up)) - 1]
            let ends = OracleStatistics.percentile(
                p, sorted: sorted,
                clusters {
                    $0.startupMs != nil
                } _: {
                    $0.startupMs ?? 0 <= found ? 1 : 0
                })
            return [count(found), ends.0.map(count) ?? "", ends.1.map(count) ?? ""]
        }
    }

    private var within: (String, String, String) {
        let ends = OracleStatistics.share(
            clusters {
                $0.startupMs != nil
            } _: {
                $0.startupMs ?? 0 <= targetMs ? 1 : 0
            })
        return (ratio(startups.count { $0 <= targetMs }, startups.count), six(ends.0), six(ends.1))
    }

    private var watched: Int64 { started.reduce(0) { $0 + $1.watchedMs } }

    private var rebuffer: (String, String, String) {
        let ends = OracleStatistics.ratio(watchedClusters { Double($0.stalledMs) }, limit: 1)
        return (ratio(started.reduce(0) { $0 + $1.stalledMs }, watched), six(ends.0), six(ends.1))
    }

    private var stallsPerHour: (String, String, String) {
        let ends = OracleStatistics.ratio(watchedClusters { Double($0.stalls) * 3_600_000 })
        let stalls = started.reduce(0) { $0 + $1.stalls }
        return (watched > 0 ? six(Double(stalls) / (Double(watched) / 3_600_000)) : "", six(ends.0), six(ends.1))
    }

    private func failure(_ isSuch: (StoredPlay) -> Bool) -> [String] {
        let ends = OracleStatistics.share(
            clusters { _ in
                true
            } _: {
                isSuch($0) ? 1 : 0
            })
        return [ratio(plays.count(where: isSuch), plays.count), six(ends.0), six(ends.1)]
    }

    private var left: [StoredPlay] { plays.filter { !$0.isStarted && $0.errorCode == nil } }
    private var quickExits: Int { left.count { $0.waitedMs ?? 1_000 < 1_000 } }
    private var exits: [String] {
        let ends = OracleStatistics.share(
            clusters { _ in
                true
            } _: {
                !$0.isStarted && $0.errorCode == nil && $0.waitedMs ?? 1_000 >= 1_000 ? 1 : 0
            })
        return [ratio(left.count - quickExits, plays.count), six(ends.0), six(ends.1)]
    }

    // MARK: Sessions

    private var bySession: [[StoredPlay]] {
        Dictionary(grouping: plays.filter { $0.sessionId != nil }, by: \.sessionId).values.map { $0 }
    }

    private func clusters(
        _ isBase: (StoredPlay) -> Bool, _ y: (StoredPlay) -> Double
    ) -> [OracleStatistics.Cluster] {
        (bySession + plays.filter { $0.sessionId == nil }.map { [$0] }).map { $0.filter(isBase) }.filter { !$0.isEmpty }
            .map { base in (Double(base.count), base.reduce(0) { $0 + y($1) }) }
    }

    private func watchedClusters(_ y: (StoredPlay) -> Double) -> [OracleStatistics.Cluster] {
        (bySession + plays.filter { $0.sessionId == nil }.map { [$0] }).map { $0.filter(\.isStarted) }
            .filter { !$0.isEmpty }
            .map { base in (base.reduce(0) { $0 + Double($1.watchedMs) }, base.reduce(0) { $0 + y($1) }) }
    }

    private var sessions: [(bytes: Int64, estimated: Int64)] {
        bySession.filter { session in
            session.contains { $0.isStarted && $0.bytes != nil } || !session.contains(where: \.isStarted)
        }.map { session in
            (
                session.reduce(0) { $0 + ($1.bytes ?? 0) },
                session.filter { $0.sentBytes == nil }.reduce(0) { $0 + ($1.bytes ?? 0) }
            )
        }
    }

    private var dataPerSession: [String] {
        let bytes = sessions.map(\.bytes).sorted()
        return [quotient(bytes.reduce(0, +), Int64(bytes.count)), nearest(bytes, 50), nearest(bytes, 95)]
    }

    private var memories: [Int64] {
        bySession.compactMap { session in
            session.filter { $0.memoryBytes != nil }.max { ($0.endedAt, $0.arrival) < ($1.endedAt, $1.arrival) }?
                .memoryBytes
        }
    }

    private var memory: [String] { [nearest(memories.sorted(), 50), nearest(memories.sorted(), 95)] }

    // MARK: Cells

    private func nearest(_ sorted: [Int64], _ percent: Int) -> String {
        sorted.isEmpty ? "" : count(sorted[Int((Double(sorted.count * percent) / 100).rounded(.up)) - 1])
    }

    private func count(_ number: some BinaryInteger) -> String { String(number) }
    private func six(_ number: Double?) -> String { number.map { String(format: "%.6f", $0) } ?? "" }
    private func whole(_ number: Double?) -> String { number.map { String(Int64(($0 + 0.5).rounded(.down))) } ?? "" }

    private func ratio(_ part: some BinaryInteger, _ whole: some BinaryInteger) -> String {
        whole > 0 ? six(Double(part) / Double(whole)) : ""
    }

    private func quotient(_ sum: Int64, _ count: Int64) -> String {
        count > 0 ? String((sum * 2 + count) / (2 * count)) : ""
    }
}
