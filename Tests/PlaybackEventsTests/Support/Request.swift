import PlaybackEvents

/// Makes bodies and decodes them.
enum Request {
    static let receivedAt: Int64 = 1_796_000_000_000
    static let receipt = Receipt(receivedAt: receivedAt, requestId: Identifier128(high: 0x0123_4567_89ab_cdef, low: 42))

    static func decode(
        _ body: String, receivedAt: Int64 = receivedAt, regionHeader: [UInt8]? = nil
    ) throws(RequestError) -> PlayBatch {
        try decode(Array(body.utf8), receivedAt: receivedAt, regionHeader: regionHeader)
    }

    static func decode(
        _ body: [UInt8], receivedAt: Int64 = receivedAt, regionHeader: [UInt8]? = nil
    ) throws(RequestError) -> PlayBatch {
        var receipt = Self.receipt
        receipt.receivedAt = receivedAt
        receipt.regionHeader = regionHeader
        return try RequestDecoder.decode(body, receipt: receipt)
    }

    /// An event with the four required fields and others.
    static func event(_ members: String...) -> String {
        let required = [#""videoId":"v1""#, #""stalls":0"#, #""stalledMs":0"#, #""watchedMs":20000"#]
        return "{" + (required + members).joined(separator: ",") + "}"
    }

    /// A body of such events, with other members of the document before them.
    static func body(_ members: String..., events: [String]) -> String {
        "{" + (members + [#""events":["# + events.joined(separator: ",") + "]"]).joined(separator: ",") + "}"
    }

    /// The request fault of a body, nil when it has none.
    static func fault(of body: [UInt8]) -> RequestError? {
        do throws(RequestError) {
            _ = try decode(body)
            return nil
        } catch {
            return error
        }
    }
}

/// Code and field of a rejection.
struct Verdict: Equatable, Sendable, CustomStringConvertible {
    var code: String
    var field: String

    init(_ code: String, _ field: String) {
        self.code = code
        self.field = field
    }

    init(_ rejection: Rejection) {
        self.init(rejection.code.rawValue, rejection.field)
    }

    var description: String { "\(code) \(field)" }
}
