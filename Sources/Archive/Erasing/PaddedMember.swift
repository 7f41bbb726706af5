/// Makes a gzip member longer without changing what comes out of it, so that what stands behind it in a file stays in its
/// place.
enum PaddedMember {
    /// gzip's header without anything of its own choosing.
    private static let headBytes = 10
    /// FLG.FEXTRA and FLG.FNAME of RFC 1952.
    static let hasExtra: UInt8 = 4
    static let hasName: UInt8 = 8
    /// What the part of the extra field is called that holds nothing.
    static let name: [UInt8] = [UInt8(ascii: "q"), UInt8(ascii: "e")]
    /// The longest extra field that is made, in bytes: some readers refuse the 65,535 that the format allows.
    private static let longestExtra = 8_192
    /// The length of the field's length, and of the head of its only part.
    private static let shortestExtra = 6
    /// A block of deflate that holds nothing.
    private static let emptyBlock: [UInt8] = [0, 0, 0, 0xff, 0xff]

    /// - Parameters:
    ///   - member: a whole one, with a plain header.
    ///   - length: what it is to have, in bytes.
    /// - Returns: nil for a member that is longer already.
    static func padded(_ member: [UInt8], to length: Int) -> [UInt8]? {
        var missing = length - member.count
        guard missing >= 0, member.count > headBytes, member[3] == 0 else { return nil }
        if missing == 0 { return member }
        var padded = Array(member[..<headBytes])
        padded.reserveCapacity(length)
        // An extra field holds what such a member commonly lacks; beyond that come blocks of nothing.
        let blocks = max(0, missing - longestExtra + emptyBlock.count - 1) / emptyBlock.count
        missing -= blocks * emptyBlock.count
        if missing >= shortestExtra {
            padded[3] = hasExtra
            // A part of this program's own name, as RFC 1952 wants its fields.
            let part = missing - shortestExtra
            padded += [UInt8(truncatingIfNeeded: missing - 2), UInt8(truncatingIfNeeded: (missing - 2) >> 8)]
            padded += name
            padded += [UInt8(truncatingIfNeeded: part), UInt8(truncatingIfNeeded: part >> 8)]
            padded += [UInt8](repeating: 0, count: part)
        } else if missing > 0 {
            padded[3] = hasName
            padded += [UInt8](repeating: UInt8(ascii: "_"), count: missing - 1) + [0]
        }
        for _ in 0..<blocks { padded += emptyBlock }
        return padded + member[headBytes...]
    }
}
