/// What the viewer of a clip is going to do, as far as the player lets him. Times in ms.
struct ViewerScript: Sendable {
    /// An act at a place of the clip.
    struct Pause: Sendable {
        let position: Int64
        let length: Int64
    }

    struct Jump: Sendable {
        let position: Int64
        let to: Int64
    }

    /// He leaves when the clip has not started after this long.
    var patience: Int64
    /// He leaves when it waits for data this long.
    var stallPatience: Int64
    /// He leaves when he has watched this long, waits included; `nil`: he stays to the end.
    var leavesAfter: Int64?
    /// How often the clip begins again by itself.
    var loops: Int
    var pause: Pause?
    var jump: Jump?
    /// The app goes to the background this long after the beginning, if the clip is still there.
    var suspendsAfter: Int64?
}
