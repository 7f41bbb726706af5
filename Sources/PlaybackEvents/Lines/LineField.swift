/// The names in an archive's line: first those of an event, under their own numbers, then what the server adds.
enum LineField {
    static let receivedAt = EventField.count
    static let requestId = EventField.count + 1
    static let regionFrom = EventField.count + 2
    static let clientEndedAt = EventField.count + 3
    static let clockSkewed = EventField.count + 4
    static let index = EventField.count + 5
    static let sender = EventField.count + 6
    static let endedBy = EventField.count + 7
    static let erased = EventField.count + 8
    static let isRepeat = EventField.count + 9

    static let names =
        EventField.allCases.map(\.name)
        + [
            "receivedAt", "requestId", "regionFrom", "clientEndedAt", "clockSkewed", "index", "sender", "endedBy",
            "erased", "repeat",
        ]
    static let keys = KeyTable(names)
}

extension Play.Ending {
    /// What ended the play, as lines, stores and reports name it.
    package var name: String {
        switch self {
        case .reported: "reported"
        case .silence: "silence"
        }
    }
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
