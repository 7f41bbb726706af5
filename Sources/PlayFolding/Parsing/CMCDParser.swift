import PlaybackEvents

/// Reads what players send in CMCD's event mode (CTA-5004-B).
package enum CMCDParser {
    /// Reads a body, after decompression: a report a line, whatever its `Content-Type` was. A line without `=` is
    /// percent-encoded.
    ///
    /// - Complexity: O(length).
    package static func parse(body: [UInt8]) -> CMCDBatch {
        var batch = CMCDBatch()
        for line in body.split(separator: UInt8(ascii: "\n")) {
            let line = trimmed(line)
            if line.isEmpty { continue }
            if batch.lines == CMCDLimits.lines {
                batch.linesTooMany += 1
            } else {
                take(line, decoded: line.contains(UInt8(ascii: "=")) ? nil : percentDecoded(line), into: &batch)
            }
        }
        return batch
    }

    /// Reads the value of `CMCD` in an address' query as it was sent, still percent-encoded.
    ///
    /// - Returns: nil without such a value.
    package static func parse(query: [UInt8]) -> CMCDBatch? {
        let name = Array("CMCD=".utf8)
        guard let item = query.split(separator: UInt8(ascii: "&")).first(where: { $0.starts(with: name) }) else {
            return nil
        }
        let value = item.dropFirst(name.count)
        var batch = CMCDBatch()
        if !value.isEmpty { take(value, decoded: percentDecoded(value), into: &batch) }
        return batch
    }

    /// Reads the values of the headers `CMCD-Request`, `CMCD-Object`, `CMCD-Session` and `CMCD-Status`, those that are there:
    /// together they are one report.
    ///
    /// - Returns: nil without any.
    package static func parse(headers: [[UInt8]]) -> CMCDBatch? {
        let values = headers.map { trimmed($0[...]) }.filter { !$0.isEmpty }
        if values.isEmpty { return nil }
        var batch = CMCDBatch()
        take(Array(values.joined(separator: [UInt8(ascii: ",")]))[...], decoded: nil, into: &batch)
        return batch
    }

    private static func take(_ line: ArraySlice<UInt8>, decoded: [UInt8]?, into batch: inout CMCDBatch) {
        let index = batch.lines
        batch.lines += 1
        func refuse(_ field: String) {
            batch.faults.append(
                CMCDError(index: index, field: field, raw: Array(line.prefix(CMCDLimits.keptBytes))))
        }
        guard line.count <= CMCDLimits.line else { return refuse("") }
        var reader = DictionaryReader(decoded.map { $0[...] } ?? line)
        var draft = ReportDraft()
        do throws(DictionaryError) {
            while let key = try reader.nextKey() { draft.take(key, try reader.value()) }
        } catch {
            return refuse("")
        }
        batch.ignoredKeys += draft.ignoredKeys
        switch draft.finish() {
        case .report(let report): batch.reports.append(report)
        case .laterVersion: batch.laterVersions += 1
        case .lacking(let field): refuse(field)
        }
    }

    /// Without blanks, tabs and carriage returns around it.
    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var line = line.drop(while: isBlank)
        while let last = line.last, isBlank(last) { line.removeLast() }
        return line
    }

    /// Undoes percent-encoding once. `+` stays, and so does a `%` without two digits.
    private static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var at = text.startIndex
        while at < text.endIndex {
            if text[at] == UInt8(ascii: "%"), at + 2 < text.endIndex, let high = digit(text[at + 1]),
                let low = digit(text[at + 2])
            {
                decoded.append(high << 4 | low)
                at += 3
            } else {
                decoded.append(text[at])
                at += 1
            }
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// A report while its line is read.
private struct ReportDraft {
    enum Outcome {
        case report(CMCDReport)
        case laterVersion
        /// Without a usable value of this key there is no report.
        case lacking(String)
    }

    private var report = CMCDReport(ts: 0, sid: [], cid: [])
    private var isLater = false
    private(set) var ignoredKeys = 0

    /// Takes a member of the dictionary. Of a key that comes twice the last one counts.
    mutating func take(_ name: ArraySlice<UInt8>, _ value: MemberValue) {
        let isGood: Bool
        switch CMCDToken(name).flatMap(CMCDKey.init) {
        case .ts:
            report.ts = Self.time(value, in: CMCDReport.times) ?? 0
            isGood = report.ts != 0
        case .sid:
            report.sid = Self.identifier(value, reservesParenthesis: false) ?? []
            isGood = !report.sid.isEmpty
        case .cid:
            report.cid = Self.identifier(value, reservesParenthesis: true) ?? []
            isGood = !report.cid.isEmpty
        case .sn: isGood = set(\.sn, Self.whole(value, in: CMCDReport.numbers))
        case .e: isGood = set(\.event, value)
        case .sta: isGood = set(\.state, value)
        case .cen:
            report.customEvent = Self.word(value) ?? []
            isGood = !report.customEvent.isEmpty
        case .ec: isGood = setErrorCode(value)
        case .br: isGood = set(\.br, Self.bitrate(value))
        case .ab: isGood = set(\.ab, Self.bitrate(value))
        case .pb: isGood = set(\.pb, Self.bitrate(value))
        case .bl: isGood = set(\.bl, Self.buffer(value))
        case .msd: isGood = set(\.msd, Self.time(value, in: CMCDReport.startups))
        case .v:
            let version = Self.whole(value, in: 1...CMCDReport.numbers.upperBound)
            isLater = (version ?? 0) > 2
            isGood = set(\.version, version)
        case .unused: isGood = true
        case nil: isGood = false
        }
        if !isGood { ignoredKeys += 1 }
    }

    func finish() -> Outcome {
        if isLater { return .laterVersion }
        if report.ts == 0 { return .lacking("ts") }
        if report.sid.isEmpty { return .lacking("sid") }
        if report.cid.isEmpty { return .lacking("cid") }
        return .report(report)
    }

    private mutating func set(_ field: WritableKeyPath<CMCDReport, Int64?>, _ number: Int64?) -> Bool {
        report[keyPath: field] = number
        return number != nil
    }

    private mutating func set(_ field: WritableKeyPath<CMCDReport, CMCDToken>, _ value: MemberValue) -> Bool {
        var token: CMCDToken?
        if !value.isList, case .token(let text) = value.first { token = CMCDToken(text) }
        report[keyPath: field] = token ?? .absent
        return token != nil
    }

    /// The first code. What no report could print is still known to be an error.
    private mutating func setErrorCode(_ value: MemberValue) -> Bool {
        switch value.isEmpty ? nil : value.first {
        case .number(let number) where number % 1_000 == 0: report.errorCode = Array("\(number / 1_000)".utf8)
        case .token(let token): report.errorCode = Self.code(Array(token))
        case .string(let text): report.errorCode = Self.code(text)
        default:
            report.errorCode = []
            return false
        }
        return true
    }

    private static func code(_ text: [UInt8]) -> [UInt8] {
        let isPrintable =
            (1...CMCDReport.longestWord).contains(text.count) && text[0] != UInt8(ascii: "(") && isPlain(text)
        return isPrintable ? text : Array("fatal".utf8)
    }

    /// A whole number that stands alone.
    private static func whole(_ value: MemberValue, in range: ClosedRange<Int64>) -> Int64? {
        guard !value.isList, case .number(let number) = value.first, number % 1_000 == 0,
            range.contains(number / 1_000)
        else { return nil }
        return number / 1_000
    }

    /// A time in ms that stands alone; a fraction goes to the nearest whole, as in the contract.
    private static func time(_ value: MemberValue, in range: ClosedRange<Int64>) -> Int64? {
        guard !value.isList, case .number(let number) = value.first, number >= 0 else { return nil }
        let rounded = (number + 500) / 1_000
        return range.contains(rounded) ? rounded : nil
    }

    /// The sum of what is played together: `(5000;v 320;a)`.
    private static func bitrate(_ value: MemberValue) -> Int64? {
        // Each of them first: a line has room for some thousands, and no sum of such numbers can overflow.
        guard let numbers = numbers(value), numbers.allSatisfy({ $0 <= CMCDReport.bitrates.upperBound * 1_000 }) else {
            return nil
        }
        let sum = (numbers.reduce(0, +) + 500) / 1_000
        return CMCDReport.bitrates.contains(sum) ? sum : nil
    }

    /// The shortest of the buffers that are played together: the first of them to run dry.
    private static func buffer(_ value: MemberValue) -> Int64? {
        guard let least = numbers(value)?.min() else { return nil }
        let rounded = (least + 500) / 1_000
        return CMCDReport.buffers.contains(rounded) ? rounded : nil
    }

    /// Numbers that are not negative, one or several; nil for anything else and for none.
    private static func numbers(_ value: MemberValue) -> [Int64]? {
        var numbers: [Int64] = []
        for item in [value.first] + value.rest {
            guard case .number(let number) = item, number >= 0 else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    private static func identifier(_ value: MemberValue, reservesParenthesis: Bool) -> [UInt8]? {
        guard !value.isList, case .string(let text) = value.first, (1...128).contains(text.count), isPlain(text),
            !reservesParenthesis || text[0] != UInt8(ascii: "(")
        else { return nil }
        return text
    }

    private static func word(_ value: MemberValue) -> [UInt8]? {
        guard !value.isList, case .string(let text) = value.first,
            (1...CMCDReport.longestWord).contains(text.count), isPlain(text)
        else { return nil }
        return text
    }

    /// UTF-8 without controls.
    private static func isPlain(_ text: [UInt8]) -> Bool {
        if text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return true }
        guard let text = String(validating: text, as: UTF8.self) else { return false }
        return !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
