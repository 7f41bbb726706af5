internal import PlaybackEvents

/// What names an event for ever: its request, and its place in it from 0.
struct EventName: Hashable {
    var requestId: Identifier128
    var index: Int32
}
