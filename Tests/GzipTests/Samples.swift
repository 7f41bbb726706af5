import TestSupport

/// Bytes to compress, the same in every run.
enum Samples {
    /// So many bytes of lines that look like plays.
    static func lines(_ count: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 1)
        var bytes: [UInt8] = []
        while bytes.count < count {
            let play = random.next()
            let line =
                "{\"playId\":\"\(play)\",\"videoId\":\"v\(play % 50)\",\"stalls\":\(play % 3),\"watchedMs\":\(play % 60_000)}\n"
            bytes += Array(line.utf8)
        }
        return Array(bytes[..<count])
    }
}
