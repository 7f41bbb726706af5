/// Why a request as a whole is not taken.
package struct RequestError: Error, Sendable, Equatable {
    /// The wire's `error`.
    package enum Code: String, Sendable, CaseIterable {
        case invalidJSON = "invalid_json"
        case duplicateKey = "duplicate_key"
        case invalidShape = "invalid_shape"
        case unsupportedVersion = "unsupported_version"
        case invalidGzip = "invalid_gzip"
        case allRejected = "all_rejected"
        case tooLarge = "too_large"
    }

    package var code: Code
    package var message: String
    /// With `invalid_json`: the first byte that can't continue a document.
    package var offset: Int?
    /// With `too_large`: the limit that was passed.
    package var limit: Int?
    /// The answer's status: 413 for `too_large`, else 400.
    package var status: Int { code == .tooLarge ? 413 : 400 }

    package init(_ code: Code, _ message: String, offset: Int? = nil, limit: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
        self.limit = limit
    }
}
