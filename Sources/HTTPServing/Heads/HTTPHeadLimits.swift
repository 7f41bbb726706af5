/// How long a request's head may be.
package struct HTTPHeadLimits: Sendable {
    /// Bytes of the request line without its end; above it 414.
    package var requestLine = 8 << 10
    /// Bytes of the whole head with its empty line, at most 65,535; above it 431.
    package var head = 32 << 10
    /// Header fields; above it 431.
    package var fields = 100

    package init() {}

    /// The same limits with offsets that 16 bits hold.
    var representable: HTTPHeadLimits {
        var limits = self
        limits.head = min(max(head, 0), Int(UInt16.max))
        limits.requestLine = min(max(requestLine, 0), limits.head)
        return limits
    }
}
