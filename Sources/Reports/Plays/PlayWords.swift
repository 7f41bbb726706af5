/// What somebody said of the plays that he wants to see one by one, word by word; nil is not said.
package struct PlayWords: Sendable, Hashable {
    package var worst: String?
    package var session: String?
    package var play: String?
    package var limit: String?
    package var seed: String?

    package init() {}

    /// Which plays the words mean.
    ///
    /// - Parameter scope: what was said of days and filters, in the words' own names.
    /// - Throws: which word is wrong, and what would be right.
    package func choice(scope: [String]) throws(ReportRequestError) -> PlayChoice {
        let named = [("worst", worst), ("session", session), ("play", play), ("seed", seed)].filter { $0.1 != nil }
        guard named.count <= 1 else {
            throw ReportRequestError("\(named[0].0) and \(named[1].0) don't go together")
        }
        if session != nil || play != nil, let said = scope.first {
            throw ReportRequestError("a \(named[0].0) is looked for everywhere: leave \(said) out")
        }
        if let session { return .session(session) }
        if let play { return .play(play) }
        if let worst {
            guard let trouble = PlayTrouble(rawValue: worst) else {
                let known = PlayTrouble.allCases.map(\.rawValue).joined(separator: ", ")
                throw ReportRequestError("worst \"\(worst)\" should be one of \(known)")
            }
            return .worst(trouble)
        }
        guard let number = UInt64(seed ?? "1") else {
            throw ReportRequestError("the seed \"\(seed ?? "")\" should be a whole number, from 0")
        }
        return .sample(seed: number)
    }

    /// - Parameter most: that anybody may ask for.
    /// - Returns: nil when nothing was said.
    /// - Throws: what would be right.
    package func limit(most: Int) throws(ReportRequestError) -> Int? {
        guard let limit else { return nil }
        guard let number = Int(limit), (1...most).contains(number) else {
            throw ReportRequestError("the limit \"\(limit)\" should be a whole number, 1 to \(most)")
        }
        return number
    }
}
