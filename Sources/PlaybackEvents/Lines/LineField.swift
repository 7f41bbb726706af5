/// The names in an archive's line: first those of an event, under their own numbers, then what the server adds.
enum LineField {
    static let receivedAt: UInt8 = 25
    static let requestId: UInt8 = 26
    static let regionFrom: UInt8 = 27
    static let clientEndedAt: UInt8 = 28
    static let clockSkewed: UInt8 = 29
    static let index: UInt8 = 30
    static let sender: UInt8 = 31

    static let names =
        EventField.allCases.map(\.name)
        + ["receivedAt", "requestId", "regionFrom", "clientEndedAt", "clockSkewed", "index", "sender"]
    static let keys = KeyTable(names)
}

extension Play.RegionSource {
    /// The source as a line names it.
    package var name: String {
        switch self {
        case .event: "event"
        case .context: "context"
        case .header: "header"
        }
    }
}
