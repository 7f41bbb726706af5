/// What an export remembers for the next one, in `export-state.json`.
struct ExportState: Codable, Sendable, Equatable {
    var definitions: Int64
    var by: [String]
    var timeZone: String
    var targetMs: Int64
    /// How far the log went.
    var lastPlay: Int64
    var lastAccount: Int64

    init(_ request: ExportRequest, lastPlay: Int64, lastAccount: Int64) {
        definitions = definitionsVersion
        by = request.dimensions.map(\.name)
        timeZone = request.zone.name
        targetMs = request.targetMs
        self.lastPlay = lastPlay
        self.lastAccount = lastAccount
    }

    /// Whether files of this state can be gone on with: they mean the same, and the log has not become shorter.
    ///
    /// - Parameter numbersGrow: else the numbers say nothing of the log's length.
    func isContinued(by next: ExportState, numbersGrow: Bool) -> Bool {
        definitions == next.definitions && by == next.by && timeZone == next.timeZone && targetMs == next.targetMs
            && (!numbersGrow || lastPlay <= next.lastPlay && lastAccount <= next.lastAccount)
    }
}
