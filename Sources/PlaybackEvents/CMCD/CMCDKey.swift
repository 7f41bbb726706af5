/// The keys of CMCD of which something is kept, as players and the log of reports write them.
package enum CMCDKey: Sendable {
    case ts, sid, cid, sn, e, sta, cen, ec, br, ab, pb, bl, msd, v
    /// Another key of the standard (CTA-5004 and CTA-5004-B).
    case unused

    /// The key that a name is; nil where no version of the standard has it.
    package init?(_ name: CMCDToken) {
        guard let key = Self.table[name] else { return nil }
        self = key
    }

    private static let table: [CMCDToken: CMCDKey] = {
        var table: [CMCDToken: CMCDKey] = [
            CMCDToken("ts"): .ts, CMCDToken("sid"): .sid, CMCDToken("cid"): .cid, CMCDToken("sn"): .sn,
            CMCDToken("e"): .e, CMCDToken("sta"): .sta, CMCDToken("cen"): .cen, CMCDToken("ec"): .ec,
            CMCDToken("br"): .br, CMCDToken("ab"): .ab, CMCDToken("pb"): .pb, CMCDToken("bl"): .bl,
            CMCDToken("msd"): .msd, CMCDToken("v"): .v,
        ]
        let others: [StaticString] = [
            "bg", "bs", "bsa", "bsd", "bsda", "cdn", "cmsdd", "cmsds", "cs", "d", "df", "dfa", "dl", "h", "lab", "lb",
            "ltc",
            "mtp", "nor", "nr", "nrr", "ot", "pr", "pt", "rc", "rtp", "sf", "smrt", "st", "su", "tab", "tb", "tbl",
            "tpb",
            "ttfb", "ttfbb", "ttlb", "url",
        ]
        for name in others { table[CMCDToken(name)] = .unused }
        return table
    }()
}
