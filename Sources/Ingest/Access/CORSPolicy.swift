/// Which web pages may post plays from a browser.
package struct CORSPolicy: Sendable {
    private let origins: Set<String>
    private let allowsAll: Bool

    /// - Parameter origins: origins as browsers send them (`https://player.example`), or `*` for every one.
    package init(origins: [String]) {
        self.origins = Set(origins)
        allowsAll = origins.contains("*")
    }

    /// Whether any origin is allowed at all.
    var isOn: Bool { !origins.isEmpty }

    /// Whether a text has the form in which browsers send an origin, or is `*`.
    package static func isOrigin(_ text: String) -> Bool {
        if text == "*" { return true }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        let rest: (Character) -> Bool = { $0 == "/" || $0 == "?" || $0 == "#" || $0 == "@" || $0.isWhitespace }
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty && !parts[1].contains(where: rest)
            && text == text.lowercased()
    }

    /// The header fields of an answer to a request from `origin`; none when no origin is allowed at all.
    ///
    /// - Parameter withCredentials: whether a page may send credentials along, as browsers do with a beacon whatever the page
    ///   says. Then they want the origin by its name, where every one is allowed too.
    package func fields(origin: String?, withCredentials: Bool) -> [(name: String, value: String)] {
        if origins.isEmpty { return [] }
        let named = origin.flatMap { origin in
            origins.contains(origin) || allowsAll && withCredentials ? origin : nil
        }
        guard let allowed = named ?? (allowsAll ? "*" : nil) else { return [("Vary", "Origin")] }
        let credentials = named != nil && withCredentials ? [("Access-Control-Allow-Credentials", "true")] : []
        return [("Access-Control-Allow-Origin", allowed)] + credentials
            + [("Access-Control-Expose-Headers", "Retry-After"), ("Vary", "Origin")]
    }

    /// The further fields of the answer to a preflight; none when the origin is not allowed.
    ///
    /// - Parameter headers: those that a page may send beside the usual ones.
    package func preflightFields(
        origin: String?, methods: String, headers: [String] = []
    ) -> [(name: String, value: String)] {
        guard allowsAll || origin.map(origins.contains) == true else { return [] }
        return [
            ("Access-Control-Allow-Methods", methods),
            (
                "Access-Control-Allow-Headers",
                (["authorization", "content-encoding", "content-type"] + headers).joined(separator: ", ")
            ),
            ("Access-Control-Max-Age", "86400"),
        ]
    }
}
