/// Reads, judges and dates the body of one request (the wire contract, version 1).
package enum RequestDecoder {
    /// Decodes a body after decompression.
    ///
    /// A batch whose events are all rejected is no fault here: it has rejections and no plays.
    ///
    /// - Throws: ``RequestError`` when the request as a whole is not taken.
    /// - Complexity: one pass over the bytes; O(n log n) for the keys of an object with many unknown ones.
    package static func decode(_ body: [UInt8], receipt: Receipt) throws(RequestError) -> PlayBatch {
        guard body.count <= ContractLimits.inflatedBody else {
            throw RequestError(
                .tooLarge, "The body is larger than \(ContractLimits.inflatedBody) bytes after decompression.",
                limit: ContractLimits.inflatedBody)
        }
        var document = DocumentDecoder(receipt: receipt)
        do throws(SyntaxError) {
            try document.read(body.span.bytes)
        } catch {
            let what = error.offset == body.count ? "stops too early" : "can't go on"
            throw RequestError(
                .invalidJSON, "The body is no JSON document: it \(what) at byte \(error.offset).",
                offset: error.offset)
        }
        if let fault = document.requestFault { throw fault }
        return document.finish(body)
    }
}
