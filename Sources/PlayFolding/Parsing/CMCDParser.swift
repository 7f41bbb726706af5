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
                CMCDFault(index: index, field: field, raw: Array(line.prefix(CMCDLimits.keptBytes))))
        }
        guard line.count <= CMCDLimits.line else { return refuse("") }
        var reader = DictionaryReader(decoded.map { $0[...] } ?? line)
        var draft = ReportDraft()
        do throws(DictionaryFault) {
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
