/// A line of the quarantine: something that was not taken, why, and its bytes.
///
/// Request and index identify it, so that it can be mended and replayed.
package struct QuarantineLine: Sendable, Equatable {
    /// What the event's request gave as defaults.
    package enum Context: Sendable, Equatable {
        case absent
        /// The object as it came.
        case kept([UInt8])
        /// An object of so many bytes, more than is repeated in each of a request's lines.
        case tooLong(bytes: Int64)
    }

    /// When the request was received, ms since 1970.
    package var receivedAt: Int64
    package var requestId: Identifier128
    /// The event's place in its request, from 0.
    package var index: Int64
    /// A ``Rejection/Code``, or the word of who set it aside.
    package var code: String
    /// The field at fault, `""` for the whole.
    package var field: String
    package var context = Context.absent
    /// The region that the operator's trusted header named; nil without one.
    package var regionHeader: [UInt8]?
    /// The bytes as they came.
    package var raw: [UInt8]
    /// Nothing is left of the event but that it was rejected, and why.
    package var isErased = false

    /// The longest context that a line keeps, in bytes. One of which every value is as long as the contract allows has about
    /// half as many; a thousand rejected events with one of these are no more than the body that they may come in.
    package static let longestContext = 4_096

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

    /// Appends a line for each rejected event of a batch, each ended by LF.
    ///
    /// - Parameter body: the request's body after decompression, in which the rejections' bytes stand.
    package static func append(_ batch: borrowing PlayBatch, body: [UInt8], to lines: inout [UInt8]) {
        if batch.rejections.isEmpty { return }
        let context = context(batch.context.map { Array(body[$0]) })
        let region = batch.receipt.headerRegion
        for rejection in batch.rejections {
            var line = QuarantineLine(
                receivedAt: batch.receipt.receivedAt, requestId: batch.receipt.requestId,
                index: Int64(rejection.index), code: rejection.code.rawValue, field: rejection.field,
                raw: Array(body[rejection.bytes]))
            line.context = context
            line.regionHeader = region
            line.append(to: &lines)
        }
    }

    private static func context(_ bytes: [UInt8]?) -> Context {
        guard let bytes else { return .absent }
        return bytes.count <= longestContext ? .kept(bytes) : .tooLong(bytes: Int64(bytes.count))
    }

    /// Appends the line, ended by LF.
    package func append(to lines: inout [UInt8]) {
        if isErased {
            var left = ErasedLine(receivedAt: receivedAt, requestId: requestId, index: index)
            left.code = code
            return left.append(to: &lines)
        }
        let code = Array(code.utf8)
        let field = Array(field.utf8)
        var texts = code.count + field.count + raw.count + (regionHeader?.count ?? 0)
        if case .kept(let context) = context { texts += context.count }
        lines.append(atMost: 256 + LineWriter.longest(text: texts)) { line in
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
            putRequest(in: &line)
            if UTF8Sequence.isValid(raw.span.bytes) {
                line.put(",\"raw\":")
                line.put(text: raw.span.bytes)
            } else {
                line.put(",\"rawBase64\":\"")
                line.put(base64: raw.span.bytes)
                line.put("\"")
            }
            line.put("}\n")
        }
    }

    /// What the event's request gave it.
    private func putRequest(in line: inout LineWriter) {
        switch context {
        case .absent: break
        case .kept(let context):
            line.put(",\"context\":")
            line.put(text: context.span.bytes)
        case .tooLong(let bytes):
            line.put(",\"contextBytes\":")
            line.put(bytes)
        }
        if let regionHeader {
            line.put(",\"regionHeader\":")
            line.put(text: regionHeader.span.bytes)
        }
    }

    /// Whether the event, or what its request gave it, names a session.
    package var namesSession: Bool {
        var texts = raw
        if case .kept(let context) = context { texts += Array(" ".utf8) + context }
        let names = ["sessionId", "sid"].map { Array($0.utf8) }
        return LooseTexts.contains(in: texts) { key, _ in key.map(names.contains) ?? false }
    }

    /// Whether anything of the event is somebody's that was erased.
    package func isErased(_ tombstones: Tombstones) -> Bool {
        if tombstones.has(anyTextOf: raw) { return true }
        if case .kept(let context) = context { return tombstones.has(anyTextOf: context) }
        return false
    }

    /// Reads a line, without its LF.
    ///
    /// - Throws: ``LineError`` for a line that is no line of the quarantine.
    package static func parse(_ line: RawSpan) throws(LineError) -> QuarantineLine {
        var reader = QuarantineReader()
        do throws(SyntaxError) {
            try reader.take(line)
        } catch {
            throw LineError(error)
        }
        guard let receivedAt = reader.receivedAt, let requestId = reader.requestId, let index = reader.index,
            let code = reader.isErased ? reader.code ?? [] : reader.code, reader.isWhole,
            let field = reader.isErased ? [] : reader.field,
            let raw = reader.isErased ? [] : reader.raw
        else { throw LineError("It lacks a value, or one is of another kind.", at: line.byteCount) }
        var parsed = QuarantineLine(
            receivedAt: receivedAt, requestId: requestId, index: index, code: String(decoding: code, as: UTF8.self),
            field: String(decoding: field, as: UTF8.self), raw: raw)
        if reader.isErased {
            parsed.isErased = true
            return parsed
        }
        if let context = reader.context {
            parsed.context = .kept(context)
        } else if let bytes = reader.contextBytes {
            parsed.context = .tooLong(bytes: bytes)
        }
        parsed.regionHeader = reader.regionHeader
        return parsed
    }
}
