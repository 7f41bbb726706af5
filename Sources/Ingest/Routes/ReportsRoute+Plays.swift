internal import HTTPServing
internal import Reports

extension ReportsRoute {
    /// Plays of one answer at the most.
    static let mostPlays = 1_000

    static let playsPage = "/plays"
    static let playsPrefix = "/v1/plays."
    static let sessionPrefix = "/session/"
    static let playPrefix = "/play/"

    static func answersPlays(_ path: String) -> Bool { isPageOfPlays(path) || path.hasPrefix(playsPrefix) }

    /// Whether people read what a path answers, its refusals too.
    static func isPageOfPlays(_ path: String) -> Bool {
        path == playsPage || path.hasPrefix(sessionPrefix) || path.hasPrefix(playPrefix)
    }

    /// What a path asks for of plays; nil for a form that there is not.
    static func playsForm(_ path: String) -> PlaysForm? {
        switch path {
        case playsPage: PlaysForm(kind: .page, words: PlayWords())
        case playsPrefix + "csv": PlaysForm(kind: .csv, words: PlayWords())
        case playsPrefix + "json": PlaysForm(kind: .json, words: PlayWords())
        default: named(path)
        }
    }

    private static func named(_ path: String) -> PlaysForm? {
        var words = PlayWords()
        if path.hasPrefix(sessionPrefix) {
            words.session = String(path.dropFirst(sessionPrefix.count))
        } else if path.hasPrefix(playPrefix) {
            words.play = String(path.dropFirst(playPrefix.count))
        }
        guard let id = words.session ?? words.play, !id.isEmpty else { return nil }
        return PlaysForm(kind: .page, words: words)
    }

    /// What links on a page carry along.
    static func links(_ words: ReportWords, key: String?) -> PageLinks {
        let said = [
            ("day", words.day), ("from", words.from), ("to", words.to), ("last", words.last),
            ("time_zone", words.timeZone), ("by", words.by), ("target_ms", words.targetMs),
            ("percentiles", words.percentiles),
        ]
        var query: [PageLinks.Item] = []
        for case (let name, let value?) in said { query.append((name, value)) }
        return PageLinks(query: query + words.filters.map { ("where", $0) }, key: key)
    }
}

/// Plays one by one, as a page or as a table for machines.
struct PlaysForm {
    enum Kind: String { case page, csv, json }

    var kind: Kind
    var words: PlayWords

    /// Takes one of the parameters that only plays have.
    ///
    /// - Returns: whether it is one.
    mutating func take(_ item: HTTPQueryItem) -> Bool {
        switch item.name {
        case "worst": words.worst = item.value
        case "seed": words.seed = item.value
        case "limit": words.limit = item.value
        case "session" where words.play == nil && words.session == nil: words.session = item.value
        case "play" where words.play == nil && words.session == nil: words.play = item.value
        default: return false
        }
        return true
    }

    func text(_ list: PlayList, _ links: PageLinks) -> String {
        switch kind {
        case .page: PlayListPage.render(list, links: links)
        case .csv: list.csv()
        case .json: list.json()
        }
    }
}
