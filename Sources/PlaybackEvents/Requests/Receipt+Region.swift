extension Receipt {
    /// The region that the trusted header names: 1–128 bytes of UTF-8 without controls, not beginning with `(`. Anything
    /// else is taken as none.
    package var headerRegion: [UInt8]? {
        guard let header = regionHeader, (1...EventField.cdnRegion.longest).contains(header.count),
            header[0] != UInt8(ascii: "("), UTF8Sequence.isValid(header.span.bytes),
            !UTF8Sequence.hasControl(header.span.bytes)
        else { return nil }
        return header
    }
}
