/// The startup percentiles that were found, by which the second query counts the plays at or below them.
struct StartupThresholds {
    /// The percentiles of one group in ms; its key as the group columns hold it.
    struct Group {
        var key: [ByteText]
        var p50: Int64
        var p95: Int64
    }

    /// Queries carry at most this many groups, so that no engine meets a limit of its parser.
    static let batch = 200

    /// Expressions of the group columns in use; none when all plays are one group.
    private let expressions: [String]
    private let dimensions: [PlayDimension]
    private let groups: [Group]

    /// - Parameter groups: one when there are no group columns, else at most ``batch``.
    init(_ groups: [Group], in scope: PlayScope) {
        self.groups = groups
        dimensions = scope.dimensions
        expressions = scope.dimensions.indices.map(scope.groupExpression)
    }

    private var keyCondition: String {
        expressions.map { "\($0) = ?" }.joined(separator: " AND ")
    }

    private func choice(_ value: (Group) -> Int64) -> String {
        guard !expressions.isEmpty else { return groups.first.map { String(value($0)) } ?? "NULL" }
        return "CASE " + groups.map { "WHEN \(keyCondition) THEN \(value($0))" }.joined(separator: " ") + " END"
    }

    var p50Expression: String { choice(\.p50) }
    var p95Expression: String { choice(\.p95) }

    /// The bound values of one of the two expressions.
    var parameters: [SQLValue] {
        groups.flatMap { group in
            zip(dimensions, group.key).map { dimension, value in
                // An hour's column holds numbers, and a number is never equal to a text.
                dimension == .hour
                    ? .integer(Int64(value.description) ?? 0) : .text(value.description)
            }
        }
    }

    /// Keeps to the plays of these groups.
    var groupCondition: (String, [SQLValue])? {
        guard !expressions.isEmpty else { return nil }
        return ("(" + groups.map { _ in "(\(keyCondition))" }.joined(separator: " OR ") + ")", parameters)
    }
}
