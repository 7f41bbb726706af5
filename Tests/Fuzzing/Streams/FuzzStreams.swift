import Gzip

/// Gzip streams: never more than the limit comes out, and what we compress comes back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStreams(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // In its own memory, so that the sanitizer sees what is read beyond it.
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let limit = 65_536
    let inflated = try? Gunzip.inflate(bytes, limit: limit)
    check(inflated?.count ?? 0 <= limit, "more than the limit")
    if let inflated {
        // The same in a smaller limit is refused, in just as large a one taken.
        check((try? Gunzip.inflate(bytes, limit: inflated.count)) == inflated, "the limit itself is too little")
        if !inflated.isEmpty {
            check((try? Gunzip.inflate(bytes, limit: inflated.count - 1)) == nil, "more than a small limit")
        }
    }
    let member = compressor.member(bytes)
    check(
        (try? Gunzip.inflate(member + member, limit: 2 * count)) == bytes + bytes,
        "not what we compressed")
    return 0
}

/// Used again and again, as the committer does.
nonisolated(unsafe) private let compressor = GzipCompressor(level: 1)
