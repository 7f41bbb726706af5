/// A line of the quarantine: something that was not taken, why, and its bytes.
///
/// Request and index identify it, so that it can be mended and replayed.
package struct QuarantineLine: Sendable, Equatable {
    /// When the request was received, ms since 1970.
    package var receivedAt: Int64
    package var requestId: Identifier128
    /// The event's place in its request, from 0.
    package var index: Int64
    /// A ``Rejection/Code``, or the word of who set it aside.
    package var code: String
    /// The field at fault, `""` for the whole.
    package var field: String
    /// The bytes as they came.
    package var raw: [UInt8]

    package init(
        receivedAt: Int64, requestId: Identifier128, index: Int64, code: String, field: String, raw: [UInt8]
    ) {
        self.receivedAt = receivedAt
        self.requestId = requestId
        self.index = index
        self.code = code
        self.field = field
        self.raw = raw
    }

    /// Appends the line of a rejected event, ended by LF.
    ///
    /// - Parameter body: the request's body after decompression, in which the rejection's bytes stand.
    package static func append(_ rejection: Rejection, body: [UInt8], receipt: Receipt, to lines: inout [UInt8]) {
        let raw = body.span.bytes.extracting(rejection.bytes)
        append(
            receivedAt: receipt.receivedAt, requestId: receipt.requestId, index: Int64(rejection.index),
            code: rejection.code.rawValue, field: rejection.field, raw: raw, to: &lines)
    }

    /// Appends the line, ended by LF.
    package func append(to lines: inout [UInt8]) {
        Self.append(
            receivedAt: receivedAt, requestId: requestId, index: index, code: code, field: field, raw: raw.span.bytes,
            to: &lines)
    }

    private static func append(
        receivedAt: Int64, requestId: Identifier128, index: Int64, code: String, field: String, raw: RawSpan,
        to lines: inout [UInt8]
    ) {
        let code = Array(code.utf8)
        let field = Array(field.utf8)
        let isText = UTF8Sequence.isValid(raw)
        let most = 256 + LineWriter.longest(text: code.count + field.count + raw.byteCount)
        lines.append(atMost: most) { line in
            line.put("{\"receivedAt\":")
            line.put(receivedAt)
            line.put(",\"requestId\":\"")
            line.put(hexadecimal: requestId)
            line.put("\",\"index\":")
            line.put(index)
            line.put(",\"code\":")
            line.put(text: code.span.bytes)
            line.put(",\"field\":")
            line.put(text: field.span.bytes)
            if isText {
                line.put(",\"raw\":")
                line.put(text: raw)
            } else {
                line.put(",\"rawBase64\":\"")
                line.put(base64: raw)
                line.put("\"")
            }
            line.put("}\n")
        }
    }

    /// Reads a line, without its LF.
    ///
    /// - Throws: ``LineFault`` for a line that is no line of the quarantine.
    package static func parse(_ line: UnsafeRawBufferPointer) throws(LineFault) -> QuarantineLine {
        var reader = QuarantineReader()
        do throws(SyntaxFault) {
            try reader.take(line.bytes)
        } catch {
            throw LineFault(error)
        }
        guard let receivedAt = reader.receivedAt, let requestId = reader.requestId, let index = reader.index,
            let code = reader.code, let field = reader.field, let raw = reader.raw, reader.isWhole
        else { throw LineFault("It lacks a value, or one is of another kind.", at: line.count) }
        return QuarantineLine(
            receivedAt: receivedAt, requestId: requestId, index: index, code: String(decoding: code, as: UTF8.self),
            field: String(decoding: field, as: UTF8.self), raw: raw)
    }
}
