/// Writes bits as deflate wants them: the first into the lowest bit of the first byte.
struct BitWriter {
    private let bytes: UnsafeMutableRawPointer
    private var place: Int
    private var bits: UInt64 = 0
    private var count: UInt64 = 0

    /// - Parameter bytes: room for all that will be written, and eight bytes more.
    init(_ bytes: UnsafeMutableRawBufferPointer, at place: Int) {
        guard let base = bytes.baseAddress else { preconditionFailure("a writer needs room") }
        self.bytes = base
        self.place = place
    }

    /// - Parameters:
    ///   - value: nothing above its lowest `bits`.
    ///   - bits: at most 32.
    @inline(__always)
    mutating func put(_ value: UInt64, bits new: UInt64) {
        bits |= value &<< count
        count &+= new
        if count >= 32 {
            bytes.storeBytes(of: UInt32(truncatingIfNeeded: bits), toByteOffset: place, as: UInt32.self)
            place &+= 4
            bits &>>= 32
            count &-= 32
        }
    }

    mutating func alignToByte() {
        put(0, bits: (8 - count % 8) % 8)
    }

    /// Writes what is left of whole bytes.
    ///
    /// - Returns: where the next byte would come.
    mutating func end() -> Int {
        while count > 0 {
            bytes.storeBytes(of: UInt8(truncatingIfNeeded: bits), toByteOffset: place, as: UInt8.self)
            place += 1
            bits >>= 8
            count -= min(8, count)
        }
        return place
    }
}
