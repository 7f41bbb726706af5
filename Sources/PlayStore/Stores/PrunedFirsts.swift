package import PlaybackEvents

/// Plays that nothing but their receipt dated and that a prune has taken. A repeat that names its own time may lie in an hour
/// that stayed, and never had a row: who holds an archive against a store must not miss it.
///
/// Takes memory for each of them, which only clients cause that tell neither age nor clock.
package struct PrunedFirsts {
    private let before: Int64?
    private var ids: Set<Identifier128> = []

    /// - Parameter before: the first hour that stayed; nil where nothing was pruned.
    package init(before: Int64?) {
        self.before = before
    }

    /// Takes the archive's next play.
    package mutating func note(_ play: StoredPlay) {
        guard let before, !play.isIdMade, play.isDatedByReceipt, PlayHour(of: play.endedAt).number < before else {
            return
        }
        ids.insert(play.id)
    }

    package func contains(_ id: Identifier128) -> Bool { ids.contains(id) }
}
