/// What the server knows of a request beside its body.
package struct Receipt: Sendable, Equatable {
    /// Times that a server's clock may have: those of the years 1 to 9999, in ms since 1970. Sums and differences of these stay
    /// far from the ends of Int64.
    package static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// When it was received, ms since 1970.
    package var receivedAt: Int64
    /// 128 random bits of ours.
    package var requestId: Identifier128
    /// What the operator's trusted region header said, as sent; nil without one.
    package var regionHeader: [UInt8]?

    package init(receivedAt: Int64, requestId: Identifier128, regionHeader: [UInt8]? = nil) {
        self.receivedAt = receivedAt
        self.requestId = requestId
        self.regionHeader = regionHeader
    }
}

extension Receipt {
    /// The region that the trusted header names: 1–128 bytes of UTF-8 without controls, not beginning with `(`. Anything
    /// else is taken as none.
    package var headerRegion: [UInt8]? {
        guard let header = regionHeader, (1...EventField.cdnRegion.longest).contains(header.count),
            header[0] != UInt8(ascii: "("), UTF8Sequence.isValid(header.span.bytes),
            !UTF8Sequence.hasControl(header.span.bytes)
        else { return nil }
        return header
    }
}
