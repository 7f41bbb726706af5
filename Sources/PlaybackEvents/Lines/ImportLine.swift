/// A request that is imported: its body, and what the server would have known when it was received.
///
/// `{"receivedAt": MS, "body": {…}, "regionHeader": "…"}` names both, `{"receivedAt": MS, "cmcd": "BODY", "contentType": "…",
/// "query": "…"}` is a player's reports; what has a `requestId` beside its time is a line of a log; any other object is a
/// body by itself.
package struct ImportLine: Sendable, Equatable {
    /// The times of receipt that a request can have, in ms since 1970: those of the years 1970 to 9999.
    package static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    /// Where the body stands in the line.
    package var body: Range<Int>
    /// ms since 1970; nil for a body by itself.
    package var receivedAt: Int64?
    /// What the operator's trusted region header said.
    package var regionHeader: [UInt8]?

    /// A player's reports, and the query of the address that they were sent to; in the place of a body.
    package var cmcd: CMCD?

    /// The log of a server that has such lines; nil for a request that no server has judged.
    package var log: Log?

    package enum Log: Sendable {
        case plays, rejected, reports
    }

    package struct CMCD: Sendable, Equatable {
        package var body: [UInt8]
        package var query: [UInt8]

        package init(body: [UInt8], query: [UInt8]) {
            self.body = body
            self.query = query
        }
    }

    package init(body: Range<Int>, receivedAt: Int64? = nil, regionHeader: [UInt8]? = nil) {
        self.body = body
        self.receivedAt = receivedAt
        self.regionHeader = regionHeader
    }

    /// Reads a line, without its LF; a byte order mark before it is skipped.
    ///
    /// - Throws: what is wrong with a line that is no JSON object, or that has a `body` and not what belongs to it. What
    ///   is wrong with a body is for ``RequestDecoder`` to say.
    package static func parse(_ line: [UInt8]) throws(LineError) -> ImportLine {
        var parser = Parser()
        do throws(SyntaxError) {
            try parser.take(line.span.bytes)
        } catch {
            throw LineError(error)
        }
        if parser.hasCMCD, !parser.hasBody, !parser.hasEvents {
            guard let body = parser.cmcd, let receivedAt = parser.receivedAt, times.contains(receivedAt),
                parser.textsAreGood
            else {
                throw LineError(
                    "A line with cmcd needs a receivedAt of whole ms since 1970 (up to the year 9999); cmcd, contentType "
                        + "and query are strings.", at: 0)
            }
            var line = ImportLine(body: 0..<0, receivedAt: receivedAt)
            line.cmcd = CMCD(body: body, query: parser.query)
            return line
        }
        guard parser.hasBody, !parser.hasEvents else {
            var whole = ImportLine(body: 0..<line.count)
            if !parser.hasEvents, parser.hasRequestId, let receivedAt = parser.receivedAt {
                (whole.log, whole.receivedAt) = (parser.log, receivedAt)
            }
            return whole
        }
        guard let body = parser.body, let receivedAt = parser.receivedAt, times.contains(receivedAt),
            parser.regionHeaderIsGood
        else {
            throw LineError(
                "A line with a body needs a receivedAt of whole ms since 1970 (up to the year 9999); body is an object, "
                    + "regionHeader a string.", at: 0)
        }
        return ImportLine(body: body, receivedAt: receivedAt, regionHeader: parser.regionHeader)
    }

    private struct Parser {
        private var scanner = JSONScanner()
        var hasBody = false
        var hasEvents = false
        var body: Range<Int>?
        var receivedAt: Int64?
        var regionHeader: [UInt8]?
        var regionHeaderIsGood = true
        var hasCMCD = false
        var cmcd: [UInt8]?
        var query: [UInt8] = []
        var textsAreGood = true
        var hasRequestId = false
        /// Which log's line it is, if it is one.
        var log = Log.reports

        mutating func take(_ line: RawSpan) throws(SyntaxError) {
            scanner.skipByteOrderMark(in: line)
            scanner.skipSpace(in: line)
            guard try scanner.peek(in: line) == UInt8(ascii: "{") else { throw SyntaxError(offset: scanner.at) }
            if try scanner.takeOpening(closing: UInt8(ascii: "}"), in: line) {
                repeat {
                    let key = try scanner.takeString(in: line, keeping: true).slice
                    try scanner.takeColon(in: line)
                    try takeValue(of: key, in: line)
                } while try scanner.takeComma(orClose: UInt8(ascii: "}"), in: line)
            }
            scanner.skipSpace(in: line)
            guard scanner.at == line.byteCount else { throw SyntaxError(offset: scanner.at) }
        }

        private mutating func takeValue(of key: TextSlice, in line: RawSpan) throws(SyntaxError) {
            let start = scanner.at
            let first = try scanner.peek(in: line)
            if scanner.isText(key, "receivedAt", in: line), first == UInt8(ascii: "-") || first &- 0x30 <= 9 {
                let number = try scanner.takeNumber(in: line)
                receivedAt = number.isWhole ? number.int64 : nil
            } else if scanner.isText(key, "regionHeader", in: line) {
                if first == UInt8(ascii: "\"") {
                    let text = try scanner.takeString(in: line, keeping: true).slice
                    regionHeader = (0..<Int(text.count)).map { scanner.byte(of: text, $0, in: line) }
                } else {
                    regionHeaderIsGood = try scanner.takeNull(in: line)
                    if !regionHeaderIsGood { try scanner.skipValue(in: line, level: 1) }
                }
            } else if scanner.isText(key, "cmcd", in: line) {
                hasCMCD = true
                cmcd = try takeText(in: line)
            } else if scanner.isText(key, "query", in: line) {
                query = try takeText(in: line) ?? []
            } else if scanner.isText(key, "contentType", in: line) {
                _ = try takeText(in: line)
            } else {
                hasRequestId = hasRequestId || scanner.isText(key, "requestId", in: line)
                for name: StaticString in ["videoId", "sender", "erased"] where scanner.isText(key, name, in: line) {
                    log = .plays
                }
                if scanner.isText(key, "code", in: line) { log = .rejected }
                let isBody = scanner.isText(key, "body", in: line)
                hasBody = hasBody || isBody
                hasEvents = hasEvents || scanner.isText(key, "events", in: line)
                try scanner.skipValue(in: line, level: 1)
                if isBody, first == UInt8(ascii: "{") { body = start..<scanner.at }
            }
        }

        /// A string; nil for null, and for what is neither, which is noted.
        private mutating func takeText(in line: RawSpan) throws(SyntaxError) -> [UInt8]? {
            if try scanner.peek(in: line) == UInt8(ascii: "\"") {
                let text = try scanner.takeString(in: line, keeping: true).slice
                return (0..<Int(text.count)).map { scanner.byte(of: text, $0, in: line) }
            }
            if try !scanner.takeNull(in: line) {
                textsAreGood = false
                try scanner.skipValue(in: line, level: 1)
            }
            return nil
        }
    }
}
