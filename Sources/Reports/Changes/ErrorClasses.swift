/// What kind of trouble each error code is, so that a viewer without a network does not count against a CDN.
package struct ErrorClasses: Sendable, Equatable {
    /// The kinds; the raw value is the word of the table.
    package enum Kind: String, Sendable, CaseIterable {
        /// The viewer's device had no network, or was not allowed to use it: nobody's delivery.
        case offline
        /// The way from the edge to the player: HTTP, timeouts, playlists, connections.
        case cdn
        case drm
        case decoder
        case app
        /// No rule knows it.
        case other

        /// In a sentence behind a code.
        var words: String {
            switch self {
            case .offline: "viewer offline"
            case .cdn: "CDN and HTTP"
            case .drm: "DRM"
            case .decoder: "decoder"
            case .app: "app"
            case .other: "no known class"
            }
        }
    }

    private struct Rule: Sendable, Equatable {
        var pattern: [UInt8]
        var isBeginning: Bool
        var kind: Kind
    }

    private var rules: [Rule]

    /// The rules of the program alone.
    package static let standard: ErrorClasses = {
        do { return try ErrorClasses(rules: standardTable) } catch { preconditionFailure("\(error)") }
    }()

    /// A rule a line, `CODE CLASS`; a code that ends in `*` is the beginning of codes, and of several rules the longest counts.
    package static let standardTable = """
        # The viewer's device: no network, no roaming, a call, no mobile data.
        NSURLErrorDomain#-1009  offline
        NSURLErrorDomain#-1018  offline
        NSURLErrorDomain#-1019  offline
        NSURLErrorDomain#-1020  offline
        # Cancelled by the app.
        NSURLErrorDomain#-999   app
        NSURLErrorDomain#*      cdn
        CoreMediaErrorDomain#*  cdn
        HTTP*                   cdn
        http*                   cdn
        timeout                 cdn
        dns                     cdn
        # Not authorised, protected content, no key.
        AVFoundationErrorDomain#-11831  drm
        AVFoundationErrorDomain#-11835  drm
        AVFoundationErrorDomain#-11836  drm
        CoreMediaErrorDomain#-42*       drm
        drm*                            drm
        # No decoder, damaged or unknown formats, media services that were reset.
        AVFoundationErrorDomain#-11819  decoder
        AVFoundationErrorDomain#-11821  decoder
        AVFoundationErrorDomain#-11828  decoder
        AVFoundationErrorDomain#-11829  decoder
        AVFoundationErrorDomain#-11833  decoder
        AVFoundationErrorDomain#-11839  decoder
        # The server's configuration for HTTP streaming.
        AVFoundationErrorDomain#-11850  cdn
        """

    /// The program's rules with others before them: of rules with one pattern the new one counts.
    ///
    /// - Parameter table: a rule a line, as in ``standardTable``; `#` begins a comment at a line's start.
    /// - Throws: ``ReportRequestError`` with the line that is no rule, and what would be one.
    package init(table: String) throws(ReportRequestError) {
        self = .standard
        rules = try Self.parse(table) + rules
    }

    private init(rules table: String) throws(ReportRequestError) {
        rules = try Self.parse(table)
    }

    private static func parse(_ table: String) throws(ReportRequestError) -> [Rule] {
        var rules: [Rule] = []
        for (number, line) in table.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split { " \t\r".contains($0) }
            guard let code = words.first, !code.hasPrefix("#") else { continue }
            guard words.count == 2, let kind = Kind(rawValue: String(words[1])) else {
                let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw ReportRequestError(
                    "line \(number + 1) of the error classes should be CODE CLASS, the class one of \(kinds)")
            }
            let isBeginning = code.hasSuffix("*")
            rules.append(
                Rule(pattern: Array((isBeginning ? code.dropLast() : code).utf8), isBeginning: isBeginning, kind: kind))
        }
        return rules
    }

    /// - Complexity: O(rules).
    package func kind(of code: String) -> Kind {
        let code = Array(code.utf8)
        var found: Rule?
        for rule in rules {
            let fits = rule.isBeginning ? code.starts(with: rule.pattern) : code == rule.pattern
            guard fits else { continue }
            // A whole code is longer than every beginning of it.
            let isBetter = found.map { known in
                !rule.isBeginning && known.isBeginning
                    || rule.isBeginning == known.isBeginning && rule.pattern.count > known.pattern.count
            }
            if isBetter ?? true { found = rule }
        }
        return found?.kind ?? .other
    }
}
