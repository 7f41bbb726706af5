/// Reads a line of the log of reports.
struct ReportLineReader: ObjectLineReader {
    var scanner = JSONScanner()
    private var tagEntries: [TagEntry] = []
    private(set) var receivedAt: Int64?
    private(set) var requestId: Identifier128?
    private(set) var keyName: [UInt8] = []
    private(set) var context = ReportContext()
    private(set) var reports: [CMCDReport] = []
    /// What is wrong with a value, the first only.
    private(set) var fault: LineError?

    private mutating func note(_ reason: String) {
        if fault == nil { fault = LineError(reason, at: scanner.at) }
    }

    mutating func take(_ line: RawSpan) throws(SyntaxError) {
        try takeObject(in: line)
        if !scanner.scope.isClean { note("It has a key twice, half of a surrogate pair, or too many levels.") }
    }

    mutating func takeValue(of key: TextSlice, in line: RawSpan) throws(SyntaxError) {
        if scanner.isText(key, "reports", in: line) {
            try takeReports(in: line)
        } else if scanner.isText(key, "receivedAt", in: line) {
            receivedAt = try takeInteger(Receipt.times, in: line)
        } else if scanner.isText(key, "requestId", in: line) {
            requestId = try takeText(in: line).flatMap { scanner.hexadecimal($0, in: line) }
        } else if scanner.isText(key, "heartbeatMs", in: line) {
            context.heartbeatMs = try takeInteger(ReportContext.heartbeats, in: line)
        } else if scanner.isText(key, "key", in: line) {
            keyName = try takeText(in: line).map { bytes(of: $0, in: line) } ?? []
        } else if scanner.isText(key, "tags", in: line) {
            try takeTags(in: line)
        } else if let field = ReportContext.field(string(key, in: line)) {
            let text = try takeText(in: line).map { bytes(of: $0, in: line) } ?? []
            if !ReportContext.isText(text) {
                note("A text is too long, empty, or has characters that it must not have.")
            }
            context[keyPath: field] = text
        } else {
            try scanner.skipValue(in: line, level: 1)
        }
    }

    private mutating func takeTags(in line: RawSpan) throws(SyntaxError) {
        guard try scanner.peek(in: line) == UInt8(ascii: "{") else {
            note("tags are no object.")
            return try scanner.skipValue(in: line, level: 1)
        }
        tagEntries.removeAll(keepingCapacity: true)
        try scanner.takeTags(into: &tagEntries, level: 2, in: line)
        guard (1...ContractLimits.tags).contains(tagEntries.count),
            tagEntries.allSatisfy({ $0.hasGoodKey && $0.fault == nil })
        else { return note("tags have a key or value that they must not have, or there are none or too many.") }
        let tags = scanner.appendTagsToArena(tagEntries, in: line)
        context.tags = bytes(of: tags, in: line)
    }

    private mutating func takeReports(in line: RawSpan) throws(SyntaxError) {
        guard try scanner.peek(in: line) == UInt8(ascii: "[") else {
            note("reports are no array.")
            return try scanner.skipValue(in: line, level: 1)
        }
        guard try scanner.takeOpening(closing: UInt8(ascii: "]"), in: line) else { return }
        repeat {
            guard try scanner.peek(in: line) == UInt8(ascii: "{") else {
                note("A report is no object.")
                try scanner.skipValue(in: line, level: 2)
                continue
            }
            try takeReport(in: line)
        } while try scanner.takeComma(orClose: UInt8(ascii: "]"), in: line)
    }

    private mutating func takeReport(in line: RawSpan) throws(SyntaxError) {
        var report = CMCDReport(ts: 0, sid: [], cid: [])
        let base = scanner.keys.count
        if try scanner.takeOpening(closing: UInt8(ascii: "}"), in: line) {
            repeat {
                let position = scanner.at
                let key = try scanner.takeString(in: line, keeping: true).slice
                scanner.keys.push(key, at: position)
                try scanner.takeColon(in: line)
                try takeValue(of: key, of: &report, in: line)
            } while try scanner.takeComma(orClose: UInt8(ascii: "}"), in: line)
        }
        scanner.closeObject(keysFrom: base, in: line)
        if report.ts == 0 || report.sid.isEmpty || report.cid.isEmpty { note("A report lacks ts, sid or cid.") }
        reports.append(report)
    }

    private mutating func takeValue(
        of key: TextSlice, of report: inout CMCDReport, in line: RawSpan
    ) throws(SyntaxError) {
        switch CMCDToken(bytes(of: key, in: line)[...]).flatMap(CMCDKey.init) {
        case .ts: report.ts = try takeInteger(CMCDReport.times, in: line) ?? 0
        case .sn: report.sn = try takeInteger(CMCDReport.numbers, in: line)
        case .e: report.event = try takeToken(in: line)
        case .sta: report.state = try takeToken(in: line)
        case .cen: report.customEvent = try takeText(upTo: CMCDReport.longestWord, in: line)
        case .ec: report.errorCode = try takeText(upTo: CMCDReport.longestWord, in: line)
        case .bl: report.bl = try takeInteger(CMCDReport.buffers, in: line)
        case .br: report.br = try takeInteger(CMCDReport.bitrates, in: line)
        case .ab: report.ab = try takeInteger(CMCDReport.bitrates, in: line)
        case .pb: report.pb = try takeInteger(CMCDReport.bitrates, in: line)
        case .msd: report.msd = try takeInteger(CMCDReport.startups, in: line)
        case .cid: report.cid = try takeText(upTo: EventField.videoId.longest, in: line)
        case .sid: report.sid = try takeText(upTo: EventField.sessionId.longest, in: line)
        case .v: report.version = try takeInteger(1...2, in: line)
        case .unused, nil: try scanner.skipValue(in: line, level: 3)
        }
    }

    private mutating func takeInteger(_ range: ClosedRange<Int64>, in line: RawSpan) throws(SyntaxError) -> Int64? {
        if let value = scanner.takePlainInteger(in: line) {
            if range.contains(value) { return value }
        } else {
            let first = try scanner.peek(in: line)
            guard first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") <= 9 else {
                note("A number is none.")
                try scanner.skipValue(in: line, level: 1)
                return nil
            }
            let number = try scanner.takeNumber(in: line)
            if number.isWhole, let value = number.int64, range.contains(value) { return value }
        }
        note("A number is not whole or lies outside its range.")
        return nil
    }

    private mutating func takeText(in line: RawSpan) throws(SyntaxError) -> TextSlice? {
        guard try scanner.peek(in: line) == UInt8(ascii: "\"") else {
            note("A text is none.")
            try scanner.skipValue(in: line, level: 1)
            return nil
        }
        return try scanner.takeString(in: line, keeping: true).slice
    }

    private mutating func takeText(upTo longest: Int, in line: RawSpan) throws(SyntaxError) -> [UInt8] {
        guard let text = try takeText(in: line) else { return [] }
        if text.isAbsent || Int(text.count) > longest { note("A text is empty or too long.") }
        return bytes(of: text, in: line)
    }

    private mutating func takeToken(in line: RawSpan) throws(SyntaxError) -> CMCDToken {
        guard let text = try takeText(in: line) else { return .absent }
        if let token = CMCDToken(bytes(of: text, in: line)[...]) { return token }
        note("A token is none.")
        return .absent
    }

    private func string(_ text: TextSlice, in line: RawSpan) -> String {
        String(decoding: bytes(of: text, in: line), as: UTF8.self)
    }
}

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

/// A token of CMCD, as states and events are: 1 to 8 bytes of ASCII in one word, the first in the lowest bits.
package struct CMCDToken: Sendable, Hashable {
    /// 0 without a token.
    package var word: UInt64

    package static let absent = CMCDToken(word: 0)
    /// The longest that is kept, in bytes; those of the standard have at most three.
    package static let longest = 8

    package init(word: UInt64) {
        self.word = word
    }

    /// - Precondition: 1 to 8 bytes of ASCII.
    package init(_ text: StaticString) {
        precondition((1...Self.longest).contains(text.utf8CodeUnitCount))
        word = 0
        for position in 0..<text.utf8CodeUnitCount { word |= UInt64(text.utf8Start[position]) << UInt64(8 * position) }
    }

    /// Reads a token; nil for one that is too long, or has bytes that a token can't have.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard (1...Self.longest).contains(bytes.count) else { return nil }
        word = 0
        for (position, byte) in bytes.enumerated() {
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { return nil }
            word |= UInt64(byte) << UInt64(8 * position)
        }
    }

    package var isAbsent: Bool { word == 0 }

    package var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }.filter { $0 != 0 }
    }
}
