/// Why bytes could not be compressed or inflated.
package enum GzipError: Error, Sendable, Equatable {
    /// Not gzip, or damaged: what zlib or the format said.
    case invalid(String)
    /// There is no memory for it just now, whatever the bytes are.
    case outOfMemory
    /// The stream ends before its end.
    case truncated
    /// More comes out than the caller allows, in bytes.
    case tooLarge(limit: Int)
}
