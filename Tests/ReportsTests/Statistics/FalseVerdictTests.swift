import Foundation
import TestSupport
import Testing

@testable import Reports

/// How often a comparison accuses where nothing is different; `Intervals.md` has the table of 4,000 samples a cell.
@Suite("Where nothing is different")
struct FalseVerdictTests {
    private static let isLong = ProcessInfo.processInfo.environment["QOE_SOAK"] != nil
    private static let samples = isLong ? 4_000 : 200

    /// Three standard errors of a share in percent, where there are fewer samples.
    private static func slack(_ percent: Double, _ samples: Int) -> Double {
        isLong ? 0 : 300 * (percent / 100 * (1 - percent / 100) / Double(samples)).squareRoot()
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        var others: Int
        var few: Int
        var kind: NullWorld.Kind

        var testDescription: String {
            "\(others) against \(few) \(kind.isHeavy ? "heavy" : "mild") sessions, \(kind.failures), \(kind.startup) ms"
        }
    }

    static let cells: [Cell] = [(1_000, 50), (1_000, 100), (2_000, 40), (2_000, 20)].flatMap { others, few in
        [false, true].flatMap { isHeavy in
            [0.003, 0.02].flatMap { rate in
                // Of an easy target one start in eighty is late, of a strict one every fourth.
                [250.0, 650].map { startup in
                    Cell(
                        others: others, few: few,
                        kind: .init(failures: rate, isHeavy: isHeavy, startup: startup))
                }
            }
        }
    }

    @Test(
        "a group is called worse or better at most two and a half times as often as the level says",
        arguments: isLong ? cells : [cells[3], cells[28]])
    func verdicts(_ cell: Cell) {
        let largest = NullWorld.shares(cell.kind, cell.others, cell.few, samples: Self.samples, seed: 14).largest
        if Self.isLong { print(cell.testDescription, largest) }
        for (share, bound) in zip(largest, [6.25, 6.25, 0.875, 0.875]) {
            #expect(share <= bound + Self.slack(bound, Self.samples))
        }
    }

    @Test("a page of thirty days and six groups accuses somebody in at most one of twenty", arguments: [false, true])
    func pages(isHeavy: Bool) {
        let samples = Self.isLong ? 200 : 8
        let share = NullWorld.pages(
            .init(failures: 0.01, isHeavy: isHeavy), days: 30, groups: [300, 120, 60, 40, 25, 20], samples: samples,
            seed: 30)
        if Self.isLong { print("pages", isHeavy, share) }
        #expect(share <= 5 + Self.slack(5, samples))
    }

    @Test("equal delivery to viewers of whom 70 and 30 % are on slow networks is called worse in at most one of twenty")
    func mixes() throws {
        let samples = Self.isLong ? 2_000 : 60
        let (adjusted, plain) = try NullWorld.mixes(sessions: 200, samples: samples, seed: 70)
        if Self.isLong { print("mixes", adjusted, plain) }
        #expect(adjusted <= 5 + Self.slack(5, samples))
        // Without the mix it would be the rule.
        #expect(plain > 30)
    }

    @Test("an experiment that is looked at on each of fourteen days finds a winner or loser in at most one of twenty")
    func experiments() {
        let samples = Self.isLong ? 2_000 : 60
        let found = NullWorld.experiments(
            .init(failures: 0.02, startup: 500), days: 14, each: 150, samples: samples, seed: 5)
        if Self.isLong { print("experiments", found) }
        #expect(found.sequential <= 5 + Self.slack(5, samples))
    }

    @Test("an interval for any number of looks is that of the worked example")
    func mixture() {
        let interval = MixtureInterval(difference: log(1.3), variance: 0.0025, level: 0.05)
        #expect(abs(exp(interval.low) - 1.115454) < 1e-6)
        #expect(abs(exp(interval.high) - 1.515079) < 1e-6)
        #expect(abs(MixtureInterval.p(difference: log(1.3), variance: 0.0025) - 0.000009727) < 1e-9)
    }

    @Test("arms whose sizes differ by more than luck have that in the place of a verdict")
    func sampleRatio() {
        var world = NullWorld(random: SeededGenerator(seed: 3))
        let (one, other) = (
            (0..<1_300).map { _ in world.session(.init()) }, (0..<1_000).map { _ in world.session(.init()) }
        )
        let look = (own: NullWorld.group(one), other: NullWorld.group(other))
        let arm = ExperimentArm(name: "b", looks: [look], level: 0.0125)
        #expect(arm.figures.allSatisfy { $0.verdict == .sampleRatioMismatch })
        let even = ExperimentArm(name: "b", looks: [(own: look.other, other: look.other)], level: 0.0125)
        #expect(!even.figures.contains { $0.verdict == .sampleRatioMismatch })
    }
}
