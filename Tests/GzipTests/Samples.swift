/// Bytes to compress, the same in every run.
enum Samples {
    /// A small generator with a seed (splitmix64).
    struct Random: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) {
            state = seed
        }

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var value = state
            value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
            value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
            return value ^ (value >> 31)
        }
    }

    /// So many bytes of lines that look like plays.
    static func lines(_ count: Int) -> [UInt8] {
        var random = Random(seed: 1)
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
