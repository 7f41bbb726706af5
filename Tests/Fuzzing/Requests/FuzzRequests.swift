import HTTPServing

/// Heads of requests and chunked bodies: what comes out does not depend on how the bytes were cut, and lies within them.
///
/// The first two bytes say where they are cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequests(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 2 else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: start + 2, count: count - 2)
    let cut = (Int(start[0]) << 8 | Int(start[1])) % bytes.count
    check(
        head(of: bytes, cuts: [bytes.count]) == head(of: bytes, cuts: [cut, bytes.count]), "the head depends on the cut"
    )
    let whole = chunks(of: bytes, pieces: [0..<bytes.count])
    check(whole == chunks(of: bytes, pieces: [0..<cut, cut..<bytes.count]), "the chunks depend on the cut")
    check(
        whole == chunks(of: bytes, pieces: (0..<bytes.count).map { $0..<$0 + 1 }), "the chunks depend on single bytes")
    return 0
}

/// What a parser makes of the bytes when it sees so many of them, one time after the other.
private func head(of bytes: UnsafeRawBufferPointer, cuts: [Int]) -> String {
    var parser = HTTPHeadParser(peer: .loopback)
    do throws(HTTPError) {
        for cut in cuts {
            guard let head = try parser.parse(UnsafeRawBufferPointer(rebasing: bytes[..<cut])) else { continue }
            check(head.fields.count <= HTTPHeadLimits().fields, "too many fields")
            check(head.method.utf8.count <= 32 && !head.path.contains("\0"), "a method or a path that can't be")
            check(head.framing != .chunked || head.fields.allBytes("content-length").isEmpty, "both framings")
            check(head.version == .http10 || head.fields.allBytes("host").count == 1, "no Host, or two")
            let query = head.query.map { "\($0.name)=\($0.value)" }
            return "\(head.method) \(head.path) \(query) \(head.version) \(head.framing) \(head.keepsAlive) "
                + "\(head.expectsContinue) \(head.fields.allBytes("a")) \(head.target)"
        }
        return "not whole"
    } catch {
        return "\(error)"
    }
}

/// The body that comes out of chunks, how many bytes they took, or the fault.
private func chunks(of bytes: UnsafeRawBufferPointer, pieces: [Range<Int>]) -> String {
    var decoder = ChunkDecoder()
    var body: [UInt8] = []
    var taken = 0
    do throws(HTTPError) {
        for piece in pieces {
            var position = piece.lowerBound
            while position < piece.upperBound {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[position..<piece.upperBound])
                switch try decoder.next(rest) {
                case .framing(let count):
                    check(count == rest.count, "framing that stops early")
                    position += count
                case .data(let after, let data):
                    check(after >= 0 && data > 0 && after + data <= rest.count, "data beyond what there is")
                    body += bytes[position + after..<position + after + data]
                    position += after + data
                case .end(let count):
                    check(count <= rest.count && decoder.isOver, "an end beyond what there is")
                    return "\(body) in \(position + count)"
                }
                taken = position
            }
        }
        return "\(body) so far, \(taken)"
    } catch {
        return "\(error)"
    }
}
