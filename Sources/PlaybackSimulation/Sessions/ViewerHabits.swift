/// What viewers of short clips do. The shares are assumptions.
struct ViewerHabits: Sendable {
    /// How long viewers wait for a picture, in ms, in the median.
    private static let patience = 7_000.0

    private var chance: Chance

    init(chance: Chance) {
        self.chance = chance
    }

    /// What the viewer will do with a clip.
    ///
    /// - Parameter isLast: the app goes to the background somewhere in it.
    mutating func script(for clip: Clip, isLast: Bool) -> ViewerScript {
        var script = ViewerScript(
            patience: patience(), stallPatience: Int64(chance.logNormal(median: 11_000, sigma: 0.7)), leavesAfter: nil,
            loops: 0)
        let length = Double(clip.length)
        switch chance.unit() {
        case ..<0.14: script.leavesAfter = Int64(chance.logNormal(median: 1_900, sigma: 0.5))
        case ..<0.42: script.leavesAfter = Int64(length * chance.uniform(0.12, 0.95))
        case ..<0.80: break
        default: loop(&script, length)
        }
        if chance.happens(0.05), script.leavesAfter == nil {
            script.pause = ViewerScript.Pause(
                position: Int64(length * chance.uniform(0.1, 0.8)),
                length: Int64(min(240_000, chance.logNormal(median: 9_000, sigma: 1.1))))
        }
        if chance.happens(0.04), clip.length > 20_000 {
            let from = length * chance.uniform(0.1, 0.5)
            let to = chance.happens(0.3) ? from * 0.3 : from + (length - from) * chance.uniform(0.3, 0.8)
            script.jump = ViewerScript.Jump(position: Int64(from), to: Int64(to))
        }
        if isLast { script.suspendsAfter = Int64(chance.uniform(400, length)) }
        return script
    }

    /// Most wait some seconds; some swipe on before they have seen anything.
    private mutating func patience() -> Int64 {
        if chance.happens(0.05) { return Int64(chance.uniform(150, 1_300)) }
        return Int64(min(60_000, max(1_500, chance.logNormal(median: Self.patience, sigma: 0.6))))
    }

    /// The clip begins again by itself until the viewer swipes on.
    private mutating func loop(_ script: inout ViewerScript, _ length: Double) {
        script.loops = 8
        script.leavesAfter = Int64(length * (1 + min(5, chance.exponential(mean: 0.6))))
    }

    /// Between the end of one clip and the beginning of the next, in ms.
    mutating func swipe() -> Int64 {
        Int64(chance.logNormal(median: 380, sigma: 0.5))
    }

    /// Whether the viewer swipes back to the clip before.
    mutating func goesBack() -> Bool {
        chance.happens(0.06)
    }

    /// When a viewer tries again after a failure, in ms after it; `nil`: he does not.
    mutating func retry(afterAttempt attempt: Int) -> Int64? {
        guard attempt < 4, chance.happens(attempt == 1 ? 0.6 : 0.4) else { return nil }
        return Int64(chance.logNormal(median: 1_700, sigma: 0.5))
    }

    /// Until the viewer who left in the middle of a clip comes back to it, in ms.
    mutating func absence() -> Int64 {
        Int64(min(900_000, max(4_000, chance.logNormal(median: 45_000, sigma: 0.9))))
    }
}
