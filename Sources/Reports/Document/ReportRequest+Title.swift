extension ReportRequest {
    /// What stands under every title: which plays, whose days, which target, and up to which receipt.
    ///
    /// - Parameters:
    ///   - asOf: the newest receipt among the plays covered, ms since 1970; nil without a play.
    ///   - isForPage: times are written as people write them.
    func title(asOf: Int64?, isForPage: Bool = false) -> String {
        var parts = [filters.isEmpty ? "All plays" : "Plays with \(filtersText)"]
        parts.append("time zone \(zone.name)")
        parts.append("target \(targetText)")
        if let asOf { parts.append("as of \(isForPage ? PeriodWords.words(asOf, in: zone) : zone.time(asOf))") }
        return parts.joined(separator: "; ")
    }

    /// `network=wifi and cdn!=fastly`.
    var filtersText: String { filters.map(\.description.visible).joined(separator: " and ") }

    /// `1 s`, `1250 ms`.
    var targetText: String { targetMs % 1_000 == 0 ? "\(targetMs / 1_000) s" : "\(targetMs) ms" }
}

extension ReportDocument {
    /// What stands under the title of each of its tables.
    var title: String { plays.request.title(asOf: plays.asOf) }
}
