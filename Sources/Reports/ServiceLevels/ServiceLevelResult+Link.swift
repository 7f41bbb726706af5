extension ServiceLevelResult {
    /// The page of the plays that were judged: their window, the level's filters, and the group.
    ///
    /// - Parameter base: where the server's reports are, without a slash at its end.
    package func link(from base: String) -> String {
        var items: [(name: String, value: String)] = []
        if let range {
            items.append(("from", Moment(milliseconds: range.lowerBound).text(in: .utc)))
            items.append(("to", Moment(milliseconds: range.upperBound).text(in: .utc)))
        }
        if !level.dimensions.isEmpty { items.append(("by", level.dimensions.map(\.name).joined(separator: ","))) }
        for filter in level.filters { items.append(("where", Self.words(filter))) }
        for (dimension, name) in zip(level.dimensions, names) {
            items.append(("where", Self.words(PlayFilter(dimension, name))))
        }
        let query = items.map { "\($0.name)=\(PageLinks.escaped($0.value))" }.joined(separator: "&")
        return base + "/" + (query.isEmpty ? "" : "?" + query)
    }

    /// A filter as a page reads it: one value in quotes where it has a comma, or begins with a quote.
    private static func words(_ filter: PlayFilter) -> String {
        guard filter.alternatives.count == 1, let value = filter.alternatives.first,
            value.contains(",") || value.hasPrefix("\"")
        else { return filter.description }
        let quoted = value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        return filter.dimension.name + (filter.isNegated ? "!=" : "=") + "\"\(quoted)\""
    }
}
