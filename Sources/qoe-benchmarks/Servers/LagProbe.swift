/// Asks a server how far its database is behind its archive.
struct LagProbe: Sendable {
    var kind: ServerKind
    var port: UInt16

    /// Bytes of compressed archive.
    func bytes() throws -> Int {
        switch kind {
        case .ours:
            let line = try LocalHTTP.get("/metrics", port: port).split(separator: "\n").first {
                $0.hasPrefix("qoe_follower_lag_bytes ")
            }
            return line.flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }.map { Int($0) } ?? 0
        case .tuned: return Int(try LocalHTTP.get("/lag", port: port).filter(\.isNumber)) ?? 0
        case .plain, .nginx: return 0
        }
    }
}
