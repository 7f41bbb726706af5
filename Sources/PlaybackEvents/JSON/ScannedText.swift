/// A JSON string as it was read.
struct ScannedText {
    /// Where its text stands: in the bytes that were read or, for one with escapes, behind them in the arena.
    var slice: TextSlice
    /// It holds U+0000–U+001F or U+007F–U+009F.
    var hasControl: Bool
}
