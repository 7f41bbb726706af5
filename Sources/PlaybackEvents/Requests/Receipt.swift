/// What the server knows of a request beside its body.
package struct Receipt: Sendable, Equatable {
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
