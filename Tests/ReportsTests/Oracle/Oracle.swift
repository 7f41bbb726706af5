import Foundation
import Reports

/// A report computed play by play with nothing but arrays and dictionaries, for a store's plays in UTC.
struct Oracle {
    var plays: [StoredPlay]
    var request: ReportRequest

    /// The rows of a table, in order, as CSV cells without the last column.
    func rows(_ metric: ReportMetric) -> [[String]] {
        let dimensions = request.dimensions.filter { metric != .failures || $0 != .errorCode }
        var chosen = plays.filter { play in request.filters.allSatisfy { matches(play, $0) } }
        if request.leavesOutDownloads { chosen.removeAll { $0.source == "download" } }
        var rows: [[String]] = []
        for (period, plays) in periods(chosen) {
            // Texts are bytes here: Swift takes é of one scalar and é of two for equal.
            let groups = Dictionary(grouping: plays) { play in dimensions.map { Array(value(play, $0).utf8) } }
            let order = all(groups, dimensions).sorted { one, other in
                // Hours in UTC are in the order of their names.
                if let place = dimensions.firstIndex(of: .hour), one.key[place] != other.key[place] {
                    return one.key[place].lexicographicallyPrecedes(other.key[place])
                }
                if one.value.count != other.value.count { return one.value.count > other.value.count }
                return one.key.lexicographicallyPrecedes(other.key) { $0.lexicographicallyPrecedes($1) }
            }
            for (names, plays)
                in (dimensions.isEmpty
                ? [] : order.map { ($0.key.map { String(decoding: $0, as: UTF8.self) }, $0.value) })
                + [(dimensions.map { _ in "(all)" }, plays)]
            {
                let group = OracleGroup(plays: plays, targetMs: request.targetMs)
                rows += group.rows(metric).map { [period] + names + $0 }
            }
        }
        return rows
    }

    /// With the hours between the first and the last that have no plays, where hours alone are the groups.
    private func all(_ groups: [[[UInt8]]: [StoredPlay]], _ dimensions: [PlayDimension]) -> [[[UInt8]]: [StoredPlay]] {
        let hours = groups.values.compactMap { $0.first.map { $0.endedAt / 3_600_000 } }
        guard dimensions == [.hour], let first = hours.min(), let last = hours.max() else { return groups }
        var all = groups
        for hour in first...last {
            let name = value(StoredPlay(endedAt: hour * 3_600_000), .hour)
            all[[Array(name.utf8)]] = all[[Array(name.utf8)]] ?? []
        }
        return all
    }

    private func periods(_ plays: [StoredPlay]) -> [(String, [StoredPlay])] {
        func day(_ play: StoredPlay) -> CalendarDay { CalendarDay(number: Int(play.endedAt / 86_400_000)) }
        var plays = plays
        var name = ""
        switch request.days {
        case .all:
            let days = plays.map(day).sorted()
            name = days.isEmpty ? "" : "\(days[0])/\(days[days.count - 1])"
        case .day(let only):
            plays = plays.filter { day($0) == only }
            name = "\(only)"
        case .range(let first, let last):
            plays = plays.filter { (first...last).contains(day($0)) }
            name = "\(first)/\(last)"
        case .window(let window):
            plays = plays.filter { window.contains($0.endedAt) }
            name = [window.lowerBound, window.upperBound].map { Moment(milliseconds: $0).text(in: .utc) }
                .joined(separator: "/")
        }
        if plays.isEmpty { return [] }
        guard request.isByDay else { return [(name, plays)] }
        return Dictionary(grouping: plays, by: day).sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) }
    }

    private func value(_ play: StoredPlay, _ dimension: PlayDimension) -> String {
        let value: String? =
            switch dimension {
            case .cdnRegion: play.cdnRegion
            case .cdn: play.cdn
            case .network: play.network
            case .appVersion: play.appVersion
            case .osVersion: play.osVersion
            case .deviceModel: play.deviceModel
            case .player: play.player
            case .source: play.source
            case .videoId: play.videoId
            case .errorCode: play.errorCode
            case .endedBy: play.endedBy
            case .tag(let name): play.tags[name]
            case .day: "\(CalendarDay(number: Int(play.endedAt / 86_400_000)))"
            case .hour:
                "\(CalendarDay(number: Int(play.endedAt / 86_400_000)))T"
                    + String(format: "%02d", play.endedAt / 3_600_000 % 24) + ":00+00:00"
            }
        return value ?? (dimension == .errorCode ? "(none)" : "(unknown)")
    }

    private func matches(_ play: StoredPlay, _ filter: PlayFilter) -> Bool {
        let value = Array(value(play, filter.dimension).utf8)
        return filter.alternatives.contains { Array($0.utf8) == value } != filter.isNegated
    }
}
