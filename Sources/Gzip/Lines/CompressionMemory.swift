/// The memory that one compressor works in, made once and used for every member.
final class CompressionMemory {
    /// A block takes so many bytes of input before it ends.
    static let blockBytes = 256 << 10
    /// A number of bits: how many places the table of eight-byte words has.
    static let tableBits: UInt64 = 12

    /// Each step but the last of a block takes three bytes at least, and the last may go beyond the block by one repetition.
    let steps: UnsafeMutablePointer<DeflateBlock.Step> = .allocate(
        capacity: (blockBytes + DeflateSymbols.longestMatch) / 3 + 2)
    let literalCounts: UnsafeMutablePointer<UInt32> = .allocate(capacity: DeflateSymbols.literals)
    let distanceCounts: UnsafeMutablePointer<UInt32> = .allocate(capacity: DeflateSymbols.distances)
    /// The symbols of lengths and distances, as ``DeflateSymbols`` has them.
    let lengths: UnsafeMutablePointer<DeflateSymbols.Symbol> = .allocate(capacity: 256)
    let distances: UnsafeMutablePointer<DeflateSymbols.Symbol> = .allocate(capacity: 512)
    /// By hash of eight bytes: where they were met last.
    let met: UnsafeMutablePointer<Int32> = .allocate(capacity: 1 << tableBits)

    init() {
        for (place, symbol) in DeflateSymbols.length.enumerated() { (lengths + place).initialize(to: symbol) }
        for (place, symbol) in DeflateSymbols.distance.enumerated() { (distances + place).initialize(to: symbol) }
    }

    deinit {
        steps.deallocate()
        literalCounts.deallocate()
        distanceCounts.deallocate()
        lengths.deallocate()
        distances.deallocate()
        met.deallocate()
    }
}
