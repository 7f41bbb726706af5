/// One play's figures, as the parts of its event.
struct SamplePlay {
    /// What every event says; begins without a comma.
    let figures: String
    /// Ms before the request.
    let ageMs: Int
    /// Further figures; begins with a comma.
    let details: String
    /// Who served the play; begins with a comma.
    let delivery: String

    /// So many of a thousand plays come hours or days late.
    static let latePerMille = 20
    private static let longestLateness = 7 * 86_400_000

    init(on device: SampleDevice, using chance: inout SeededGenerator) {
        let video = min(
            Int.random(in: 0..<20_000, using: &chance), Int.random(in: 0..<20_000, using: &chance))
        let hasFailed = chance.isOneOf(12)
        let hasStarted = !hasFailed || chance.isOneOf(500)
        let watched = hasStarted ? chance.scattered(around: 20_000) : 0
        let stalls = hasStarted && chance.isOneOf(80) ? Int.random(in: 1...4, using: &chance) : 0
        let stalled = stalls == 0 ? 0 : min(watched, stalls * chance.scattered(around: 700))
        let bitrate = chance.scattered(around: 2_400_000)
        let startup = chance.scattered(around: 380)

        var figures =
            "\"videoId\":\"clip-\(100_000 + video)\",\"stalls\":\(stalls),\"stalledMs\":\(stalled),"
            + "\"watchedMs\":\(watched)"
        if hasStarted { figures += ",\"startupMs\":\(startup),\"avgBitrate\":\(bitrate)" }
        if hasFailed {
            let code = chance.isOneOf(600) ? -12_660 : -12_938
            figures += ",\"error\":{\"domain\":\"CoreMediaErrorDomain\",\"code\":\(code)}"
        }
        self.figures = figures
        ageMs =
            chance.isOneOf(Self.latePerMille)
            ? Int.random(in: 3_600_000..<Self.longestLateness, using: &chance)
            : Int.random(in: 200..<90_000, using: &chance)
        let bytes = (watched + 4_000) * (bitrate / 8_000)
        var details = ",\"bytes\":\(bytes),\"memoryBytes\":\(chance.scattered(around: 210_000_000))"
        details +=
            hasStarted
            ? ",\"accessLogStartupMs\":\(max(0, startup - Int.random(in: 0..<60, using: &chance)))"
            : ",\"waitedMs\":\(chance.scattered(around: 3_000))"
        if hasFailed, chance.isOneOf(300) { details += ",\"attempt\":2" }
        self.details = details
        delivery =
            ",\"cdn\":\"\(device.cdn)\",\"cdnRegion\":\"\(device.region)\",\"network\":\"\(device.network)\""
    }
}
