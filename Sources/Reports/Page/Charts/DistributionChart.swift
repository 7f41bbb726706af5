internal import Foundation

/// How a group's startup times are spread: a bar for each stretch of time, each about a quarter longer than the one before.
struct DistributionChart {
    var name: String
    var startups: StartupHistogram

    /// The upper ends of the bars in ms; what takes longer is in a last one.
    static let ends: [Int64] = [
        100, 150, 200, 250, 300, 400, 500, 600, 800, 1_000, 1_300, 1_600, 2_000, 2_500, 3_000, 4_000, 5_000, 7_000,
        10_000,
    ]

    /// The share of plays in each bar.
    var shares: [Double] {
        var plays = [Int64](repeating: 0, count: Self.ends.count + 1)
        var position = 0
        for bin in startups.bins {
            while position < Self.ends.count, bin.ms > Self.ends[position] { position += 1 }
            plays[position] += bin.plays
        }
        return plays.map { startups.count > 0 ? Double($0) / Double(startups.count) : 0 }
    }

    /// - Parameter largest: the share that fills the height, the same for all groups.
    func svg(largest: Double) -> HTML {
        let shares = shares
        let width = 100 / Double(shares.count)
        let bars = shares.enumerated().map { index, share -> HTML in
            let height = 100 * share / max(largest, 1e-9)
            let range = Self.range(index)
            let words = "\(range): \(HumanNumber.percent(share).value) of \(startups.count) plays"
            return """
                <rect class="mark bar one" x="\(Double(index) * width + width / 12)%" width="\(width * 5 / 6)%" \
                y="\(104 - height)" height="\(height)"><title>\(words)</title></rect>

                """
        }
        let labels = [100, 500, 1_000, 2_500, 10_000].compactMap { ms -> HTML? in
            guard let index = Self.ends.firstIndex(of: Int64(ms)) else { return nil }
            return """
                <text class="quiet" x="\(Double(index + 1) * width)%" y="120" text-anchor="middle">\
                \(Self.label(Int64(ms)))</text>

                """
        }
        return """
            <svg role="img" aria-label="Distribution of startup times, \(name)" height="126">
            <line class="axis" x1="0" x2="100%" y1="104.5" y2="104.5"/>
            \(bars)\(labels)</svg>

            """
    }

    static func label(_ ms: Int64) -> String {
        ms < 1_000 ? "\(ms) ms" : ms % 1_000 == 0 ? "\(ms / 1_000) s" : "\(Double(ms) / 1_000) s"
    }

    /// The bar's stretch in words.
    static func range(_ index: Int) -> String {
        if index == 0 { return "up to \(label(ends[0]))" }
        if index == ends.count { return "more than \(label(ends[index - 1]))" }
        return "\(label(ends[index - 1])) to \(label(ends[index]))"
    }
}
