/// Loading an archive into the embedded database.
enum FollowPath {
    /// - Parameter store: a part of the plays may be there.
    @discardableResult
    static func measure(_ store: GrowingStore, plays: Int, into table: inout ResultTable) throws -> GrowingStore.Step {
        let before = Double(store.plays)
        let step = try store.grow(to: plays)
        let rate = Double(step.plays) / step.seconds
        table.add(
            "follow \(figure(Double(plays))) plays",
            "\(figure(rate)) plays/s; \(figure(step.processorSeconds / Double(step.plays) * 1e6)) µs of a processor each",
            rate, atLeast: 400_000, "≥ 400,000 plays/s, idle machine")
        let million = 1_000_000.0
        if Double(step.plays) >= 2 * million {
            let first = Self.rate(step.marks, from: before, to: before + million)
            let last = Self.rate(step.marks, from: Double(plays) - million, to: Double(plays))
            table.add(
                "the last million against the first", "\(figure(last / first)) ×", last / first, atLeast: 0.85, "≥ 0.85"
            )
        }
        let bytes = Double(try store.databaseBytes) / Double(plays)
        table.add("database", "\(figure(bytes)) bytes a play", bytes, atMost: 100, "≤ 100 bytes a play")
        return step
    }

    private static func rate(_ marks: [(plays: Double, seconds: Double)], from first: Double, to last: Double) -> Double
    {
        guard let begin = marks.last(where: { $0.plays <= first }) ?? Optional((plays: first, seconds: 0)),
            let end = marks.first(where: { $0.plays >= last })
        else { return 0 }
        return (end.plays - begin.plays) / (end.seconds - begin.seconds)
    }
}
