/// A clip of the catalogue.
struct Clip: Sendable {
    let id: String
    /// In ms.
    let length: Int64
    /// 0 for the clip that most watch, up to 1 for the one that fewest do.
    let popularity: Double
    /// What is wrong with the clip itself, for every viewer.
    var fault: PlaybackFailure?
}
