internal import Gzip
internal import HTTPServing
internal import PlaybackEvents

/// There is no room for the bytes of a request.
struct NoRoom: Error {}

/// A body as it was before gzip.
enum InflatedBody {
    /// Inflates into bytes taken from the budget: as many as the body's own trailer names, then, when that was not
    /// the truth or there are more members, as many as the contract allows.
    ///
    /// - Throws: ``RequestFault``, ``NoRoom``.
    static func bytes(of body: [UInt8], _ room: inout BudgetRoom) throws -> [UInt8] {
        let limit = ContractLimits.inflatedBody
        let named = body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        var held = 0
        for most in named < limit ? [named, limit] : [limit] {
            room.give(held)
            room.note(size: most)
            guard room.take(most) else { throw NoRoom() }
            held = most
            if let inflated = try bytes(of: body, limit: most) { return inflated }
        }
        throw RequestFault(.tooLarge, "the body is larger than \(limit) bytes after decompression", limit: limit)
    }

    /// The body's bytes, nil when there are more than the limit.
    private static func bytes(of body: [UInt8], limit: Int) throws -> [UInt8]? {
        do {
            return try Gunzip.inflate(body, limit: limit)
        } catch {
            switch error {
            case .tooLarge: return nil
            case .outOfMemory: throw NoRoom()
            case .truncated: throw RequestFault(.invalidGzip, "the gzip stream ends before its end")
            case .invalid: throw RequestFault(.invalidGzip, "the body is not what gzip makes")
            }
        }
    }
}
