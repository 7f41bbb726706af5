internal import Suggestions

extension ReportMaker {
    /// - Throws: ``ReportRequestError`` for a filter with a value that no play has ever had; what the store says.
    func checkFilters(_ filters: [PlayFilter]) throws {
        for filter in filters {
            if let message = try unknownValue(of: filter) { throw ReportRequestError(message) }
        }
    }

    /// So many values are looked at to find those that a word may have meant.
    private static let mostCandidates = 5_000

    /// Says which value of a filter no play has ever had, and which are near; nil when there is none, and in a store
    /// without plays.
    func unknownValue(of filter: PlayFilter) throws -> String? {
        let dimension = filter.dimension
        guard !filter.isAboutTime else { return nil }
        let wanted = filter.alternatives.filter { $0 != dimension.absent }.map { ByteText($0) }
        let found = Set(try store.values(of: dimension, among: wanted, most: wanted.count))
        // A text with commas is one value or several.
        let isList = filter.alternatives.count > 1 && filter.alternatives.first == filter.value
        if isList, found.contains(ByteText(filter.value)) { return nil }
        guard let unknown = wanted.dropFirst(isList ? 1 : 0).first(where: { !found.contains($0) }) else { return nil }
        let values = try store.values(of: dimension, among: nil, most: Self.mostCandidates).map(\.description)
        if values.isEmpty, try store.hours(in: nil).isEmpty { return nil }
        return "no play has ever had the \(dimension.name) '\(unknown)'".visible
            + Self.suggestion(unknown.description, among: values).visible
    }

    private static func suggestion(_ word: String, among values: [String]) -> String {
        guard !values.isEmpty else { return ", nor any other" }
        var (near, rest): ([String], _) = ([], values)
        while near.count < 3, let next = Spelling.nearest(to: word, among: rest) {
            near.append("'\(next)'")
            rest.removeAll { $0 == next }
        }
        if !near.isEmpty { return ": did you mean \(near.joined(separator: " or "))?" }
        let known = values.sorted().prefix(5).map { "'\($0)'" }
        return ": there is \(known.joined(separator: ", "))" + (values.count > 5 ? ", …" : "")
    }
}
