/// What is kept of one report of a player that speaks CMCD (CTA-5004-B, event mode); nothing else of its line is stored.
package struct CMCDReport: Sendable, Hashable {
    /// The player's own clock, ms since 1970; in ``times``.
    package var ts: Int64
    /// The session, judged as the contract's `sessionId`.
    package var sid: [UInt8]
    /// The content, judged as the contract's `videoId`.
    package var cid: [UInt8]
    /// The report's number in its run, in ``numbers``.
    package var sn: Int64?
    /// What happened: `ps`, `t`, `bc`, `e` and others.
    package var event = CMCDToken.absent
    /// The player's state: `s`, `p`, `k`, `r`, `w`, `a`, `e`, `f`, `q`, `d`.
    package var state = CMCDToken.absent
    /// The name of a custom event; empty without one.
    package var customEvent: [UInt8] = []
    /// The first error code; empty without one. One that no report could print is `fatal`.
    package var errorCode: [UInt8] = []
    /// The encoded bitrate in kbit/s, summed over what is played together; in ``bitrates``, as the next two are.
    package var br: Int64?
    /// The aggregate encoded bitrate.
    package var ab: Int64?
    /// The bitrate at the playhead.
    package var pb: Int64?
    /// The buffer's length in ms, in ``buffers``.
    package var bl: Int64?
    /// The player's own account of its startup in ms, in ``startups``.
    package var msd: Int64?
    /// The version of CMCD, 1 or 2.
    package var version: Int64?

    package static let times: ClosedRange<Int64> = 1...253_402_300_799_999
    package static let numbers: ClosedRange<Int64> = 0...(1 << 53)
    package static let bitrates: ClosedRange<Int64> = 1...1_000_000
    package static let buffers: ClosedRange<Int64> = 0...86_400_000
    package static let startups: ClosedRange<Int64> = 0...3_600_000
    /// The longest error code and the longest name of a custom event, in bytes.
    package static let longestWord = 64

    package init(ts: Int64, sid: [UInt8], cid: [UInt8]) {
        self.ts = ts
        self.sid = sid
        self.cid = cid
    }
}
