/// Which plays of a report come from sessions that were chosen by chance: their tag `sample` is the share of sessions that
/// the app measured.
package struct SampledPlays: Sendable, Hashable {
    /// The tag that says so.
    package static let tag = "sample"

    package struct Share: Sendable, Hashable {
        /// As the tag has it: a decimal number above 0 and below 1.
        package var rate: String
        package var plays: Int64

        package init(rate: String, plays: Int64) {
            self.rate = rate
            self.plays = plays
        }
    }

    /// Most plays first, then by the share's text.
    package private(set) var shares: [Share] = []
    /// There are more values of the tag than a report may have groups.
    package var isTooMany = false

    /// No play.
    package init() {}

    /// - Parameter values: plays by the value of the tag; what is no share of sessions is left out.
    package init(_ values: [String: Int64]) {
        shares = values.filter { Self.isShare($0.key) && $0.value > 0 }
            .map { Share(rate: $0.key, plays: $0.value) }
            .sorted { ($1.plays, $0.rate) < ($0.plays, $1.rate) }
    }

    private static func isShare(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") })
        else { return false }
        return Double(text).map { $0 > 0 && $0 < 1 } ?? false
    }

    /// So many shares are named in a note, at most.
    private static let mostNamed = 5

    /// What people have to know of it; nil when every session was measured.
    ///
    /// - Parameter plays: all plays of the report.
    func note(of plays: Int64) -> String? {
        let end = "Counts are of measured plays; nothing is weighted."
        if isTooMany { return "A sample of sessions, at more shares than a report can tell (tag sample). \(end)" }
        guard !shares.isEmpty else { return nil }
        var parts = shares.prefix(Self.mostNamed).map { "\(Self.plays($0.plays)) at \($0.rate)" }
        let others = shares.dropFirst(Self.mostNamed).reduce(0) { $0 + $1.plays }
        if others > 0 { parts.append("\(HumanNumber.count(others).value) at other shares") }
        let whole = plays - shares.reduce(0) { $0 + $1.plays }
        if whole > 0 { parts.append("\(HumanNumber.count(whole).value) not sampled") }
        return "A sample of sessions (tag sample): \(parts.joined(separator: ", ")). \(end)"
    }

    private static func plays(_ count: Int64) -> String {
        count == 1 ? "1 play" : "\(HumanNumber.count(count).value) plays"
    }
}
