internal import Platform

/// Plays that were bad more often on a day than on the same weekdays before.
package struct ChangedSlice: Sendable {
    package var day: CalendarDay
    package var outcome: BadOutcome
    /// What the plays share; at most three with the error code.
    package var filters: [PlayFilter]
    /// Of failures; nil for all codes.
    package var code: String?
    package var kind: ErrorClasses.Kind?
    /// The slice's plays that the outcome is about, and the bad ones of them.
    package var plays: Int64
    package var bad: Int64
    /// Bad plays of its region, or of all plays where it is of no region.
    package var badOfAll: Int64
    /// Bad plays as there would have been at the rate of the same weekdays before.
    package var expected: Double
    /// The probability of such a rise by luck alone, by itself.
    package var p: Double
    /// When most of them were; nil when they were all day long, or that is not known.
    package var hours: WorstHours?

    /// `34 of 42 failures of ap-south on 27 November are NSURLErrorDomain#-1001 on cellular, from 10:00 to 15:00`.
    package var sentence: String {
        let region = filters.first { $0.dimension == .cdnRegion }?.value.visible
        let date = day.words
        var parts: [String] = []
        if let code { parts.append(code.visible + (kind.map { " (\($0.words))" } ?? "")) }
        parts += filters.filter { $0.dimension != .cdnRegion }.map { Self.words($0) }
        let ofRegion = region.map { " of \($0)" } ?? ""
        let time = hours.map { ", \($0.text)" } ?? ""
        let before = "the same weekdays before lead to expect \(HumanNumber.number(Figure(expected)).value)"
        guard !parts.isEmpty else {
            return "\(HumanNumber.count(bad).value) \(outcome.rawValue)\(ofRegion) on \(date)\(time), where \(before)."
        }
        return
            "\(HumanNumber.count(bad).value) of \(HumanNumber.count(badOfAll).value) \(outcome.rawValue)\(ofRegion) on "
            + "\(date) are \(parts.joined(separator: " "))\(time); \(before)."
    }

    private static func words(_ filter: PlayFilter) -> String {
        let value = filter.value.visible
        switch filter.dimension {
        case .network: return "on \(value)"
        case .cdn: return "from \(value)"
        case .appVersion: return "in version \(value)"
        case .osVersion: return "on OS \(value)"
        case .player: return "in player \(value)"
        default: return "on \(value)"
        }
    }
}

extension [ChangedSlice] {
    /// What changed, for machines.
    package func table(_ request: ReportRequest, asOf: Int64?) -> ReportTable {
        let dimensions = WhatChanged.dimensions
        var table = ReportTable(
            name: "changed",
            columns: [ReportColumn("period", .period), ReportColumn("outcome", .text)]
                + dimensions.map { ReportColumn($0.column, .name) }
                + [
                    ReportColumn("error_code", .text), ReportColumn("error_class", .text),
                    ReportColumn("plays", .count),
                    ReportColumn("bad_plays", .count), ReportColumn("bad_plays_of_region", .count),
                    ReportColumn("expected_bad_plays", .ratio), ReportColumn("p", .ratio), ReportColumn("hours", .text),
                    ReportColumn("sentence", .text), ReportColumn("definitions", .version),
                ],
            rows: [], asOf: asOf, downloads: 0, request: request)
        for slice in self {
            let names = dimensions.map { dimension -> ReportCell in
                slice.filters.first { $0.dimension == dimension }.map { .text($0.value) } ?? .empty
            }
            table.rows.append(
                [.text(slice.day.description), .text(slice.outcome.rawValue)] + names
                    + [
                        slice.code.map { .text($0) } ?? .empty, slice.kind.map { .text($0.rawValue) } ?? .empty,
                        .init(slice.plays), .init(slice.bad), .init(slice.badOfAll), .init(slice.expected),
                        .init(slice.p), slice.hours.map { .text($0.text) } ?? .empty, .text(slice.sentence),
                        .init(definitionsVersion),
                    ])
        }
        return table
    }
}

/// What can be bad about a play.
package enum BadOutcome: String, Sendable, CaseIterable {
    case failed = "failures"
    case late = "late starts"
    case stalled = "plays with a stall"
    case left = "exits before start"

    var measure: Measure {
        switch self {
        case .failed: .failed
        case .late: .withinTarget
        case .stalled: .playsWithStall
        case .left: .exitsBeforeStart
        }
    }

    /// The measure counts the good ones.
    var isComplement: Bool { self == .late }

    /// Bad plays by session.
    func sums(_ group: GroupSums) -> RatioSums {
        isComplement ? group.ratios[measure].complement : group.ratios[measure]
    }
}

extension GroupSums {
    /// Failed plays by session, without those whose error is none of the delivery's.
    ///
    /// A session's squares without them are taken as large as they can be.
    func failed(without classes: ErrorClasses) -> RatioSums {
        var sums = ratios[.failed]
        for failure in failures where classes.kind(of: failure.code.description) == .offline {
            sums.events -= Int128(failure.plays)
            sums.products -= failure.products
            sums.eventSquares -= failure.eventSquares
        }
        sums.eventSquares = max(sums.eventSquares, sums.events)
        return sums
    }

    /// Failed plays of each code by session, both phases together.
    func failedByCode() -> [String: RatioSums] {
        var codes: [String: RatioSums] = [:]
        for failure in failures {
            var sums = ratios[.failed]
            (sums.events, sums.products) = (Int128(failure.plays), failure.products)
            sums.eventSquares = failure.eventSquares
            if let other = codes[failure.code.description] {
                sums.events += other.events
                sums.products += other.products
                // Of a session that failed in both phases: at most this, by Minkowski's inequality.
                let root = Double(sums.eventSquares).squareRoot() + Double(other.eventSquares).squareRoot()
                sums.eventSquares = max(sums.events, Int128((root * root).rounded(.up)))
            }
            codes[failure.code.description] = sums
        }
        return codes
    }
}
