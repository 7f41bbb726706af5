/// The two tables of plays. They have the same columns and the same key; a play is in one of them.
///
/// Plays that arrive hours late would each touch a page of an hour long full; in a table of their own they touch the few
/// pages of a sparse one. And the rows of a closed hour stay as they are, so that its columns hold all of them.
enum PlayTable: String, CaseIterable {
    /// Received in the hour in which they ended, or the next, before that was closed.
    case prompt = "prompt_plays"
    /// Received later.
    case delayed = "delayed_plays"

    var creation: String {
        let columns = PlayColumn.allCases.map { "\($0.name) \($0.type)" }
        return """
            CREATE TABLE \(rawValue) (
                \(columns.joined(separator: ",\n    ")),
                PRIMARY KEY (hour, play_id)
            ) WITHOUT ROWID;
            """
    }

    /// Gives the table columns that it had not.
    func addition(of columns: [PlayColumn]) -> String {
        columns.map { "ALTER TABLE \(rawValue) ADD COLUMN \($0.name) \($0.type);" }.joined(separator: "\n")
    }

    var insertion: String {
        let parameters = PlayColumn.allCases.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO \(rawValue) (\(PlayColumn.list)) VALUES (\(parameters)) ON CONFLICT DO NOTHING"
    }

    var selection: String { "SELECT \(PlayColumn.list) FROM \(rawValue) WHERE hour = ? AND play_id = ?" }
}
