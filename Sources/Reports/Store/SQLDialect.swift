/// The few expressions that SQLite and ClickHouse spell differently.
package enum SQLDialect: Sendable {
    case sqlite
    case clickHouse

    /// The value of one tag, NULL where the play has no such tag.
    ///
    /// - Parameter name: a tag's name by the contract, `[a-z][a-z0-9_]{0,31}`.
    func tag(_ name: String) -> String {
        switch self {
        case .sqlite: "json_extract(tags, '$.\(name)')"
        // No value of a tag is empty, so an empty text says that the tag is absent.
        case .clickHouse: "nullIf(visitParamExtractString(coalesce(tags, ''), '\(name)'), '')"
        }
    }
}
