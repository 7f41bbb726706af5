/// The contract's limits of one request.
package enum ContractLimits {
    /// The body as sent, in bytes.
    package static let body = 1 << 20
    /// The body after decompression, in bytes.
    package static let inflatedBody = 8 << 20
    package static let events = 1_000
    /// One event from `{` to `}` as sent, in bytes.
    package static let event = 16_384
    /// Levels of nesting: the document is level 1.
    package static let depth = 16
    package static let tags = 8
}
