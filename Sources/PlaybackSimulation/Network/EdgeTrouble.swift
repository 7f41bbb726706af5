/// Trouble at the edge of one region for one evening: it rises, stays and fades.
package struct EdgeTrouble: Sendable {
    package let region: String
    /// The network that has most of it; the others of the region get some of its viewers, and slow down too.
    package let cdn: String
    /// In ms since 1970.
    package let begin: Int64
    /// In ms since 1970.
    package let end: Int64

    /// From 18:30 to 22:00 UTC of the day that begins at `midnight`: the evening of Central Europe.
    package init(onDayFrom midnight: Int64) {
        region = "eu-central"
        cdn = "cdn-a"
        begin = midnight + 18 * 3_600_000 + 30 * 60_000
        end = midnight + 22 * 3_600_000
    }

    /// From 0, none, to 1.
    func severity(in region: String, of cdn: String, at time: Int64) -> Double {
        guard region == self.region, (begin..<end).contains(time) else { return 0 }
        let ramp = 30 * 60_000.0
        let rising = Double(time - begin) / ramp
        let fading = Double(end - time) / ramp
        return min(1, rising, fading) * (cdn == self.cdn ? 1 : 0.45)
    }
}
