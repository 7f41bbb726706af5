/// A query that a report runs: the text of its file.
///
/// A file's first comment says what a row is. The lines between `-- scope` and `-- end of scope` say which plays the
/// query is about when it is run by hand; a report puts its own subquery there.
package enum QueryFile: String, Sendable, CaseIterable {
    case totals
    case startups
    case sessions
    case lonePlays = "lone_plays"
    case sessionStartups = "session_startups"
    case sessionMemory = "session_memory"
    case failures
    case firstHour = "first_hour"
    case lastHour = "last_hour"
    case accounts
    case arrivals
    case downloads
    case rejections
    case repeats
    case exportMarks = "export_marks"
    case playHours = "play_hours"
    case playInLog = "play_in_log"
    case accountInLog = "account_in_log"
    case firstNewAccount = "first_new_account"
    case newestPlay = "newest_play"

    private var bytes: [UInt8] {
        switch self {
        case .totals: PackageResources.totals_sql
        case .startups: PackageResources.startups_sql
        case .sessions: PackageResources.sessions_sql
        case .lonePlays: PackageResources.lone_plays_sql
        case .sessionStartups: PackageResources.session_startups_sql
        case .sessionMemory: PackageResources.session_memory_sql
        case .failures: PackageResources.failures_sql
        case .firstHour: PackageResources.first_hour_sql
        case .lastHour: PackageResources.last_hour_sql
        case .accounts: PackageResources.accounts_sql
        case .arrivals: PackageResources.arrivals_sql
        case .downloads: PackageResources.downloads_sql
        case .rejections: PackageResources.rejections_sql
        case .repeats: PackageResources.repeats_sql
        case .exportMarks: PackageResources.export_marks_sql
        case .playHours: PackageResources.play_hours_sql
        case .playInLog: PackageResources.play_in_log_sql
        case .accountInLog: PackageResources.account_in_log_sql
        case .firstNewAccount: PackageResources.first_new_account_sql
        case .newestPlay: PackageResources.newest_play_sql
        }
    }

    /// The file as it is.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The subquery that the file itself holds between its markers; nil where it has none.
    package var scope: String? {
        guard let range = scopeRange else { return nil }
        return lines[range].map { $0.dropFirst(indentation(of: $0, atMost: 4)) }.joined(separator: "\n")
    }

    /// The query with another scope, without comments.
    package func sql(scope: String) -> String {
        var lines = lines
        if let range = scopeRange { lines.replaceSubrange(range, with: [Substring(scope)]) }
        return lines.filter { !$0.drop { $0 == " " }.hasPrefix("--") }.joined(separator: "\n")
    }

    private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    private var scopeRange: Range<Int>? {
        let lines = lines
        guard let start = lines.firstIndex(where: { $0.hasSuffix("-- scope") }),
            let end = lines.firstIndex(where: { $0.hasSuffix("-- end of scope") }), start < end
        else { return nil }
        return start + 1..<end
    }

    private func indentation(of line: Substring, atMost limit: Int) -> Int {
        min(limit, line.prefix { $0 == " " }.count)
    }
}
