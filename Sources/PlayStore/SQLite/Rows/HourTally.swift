/// What a commit adds to the small tables that go by the hour.
struct HourTally {
    struct Plays {
        var count: Int64 = 0
        var lastArrival: Int64 = .min
        var lastReceivedAt: Int64 = .min

        fileprivate mutating func add(_ play: StoredPlay) {
            count += 1
            lastArrival = max(lastArrival, play.arrival)
            lastReceivedAt = max(lastReceivedAt, play.receivedAt)
        }
    }
    struct Repeats {
        var duplicates: Int64 = 0
        var conflicts: Int64 = 0
    }

    private(set) var loaded: Int64 = 0
    private(set) var duplicates: Int64 = 0
    private(set) var conflicts: Int64 = 0
    /// By the hour of the play.
    private var played: [Int64: Plays] = [:]
    /// By the hour of the repeat's receipt.
    private(set) var repeats: [Int64: Repeats] = [:]
    /// The hour that the last play had: plays come sorted.
    private var current: (hour: Int64, plays: Plays)?

    mutating func add(stored play: StoredPlay) {
        let hour = PlayHour(of: play.endedAt).number
        if current?.hour != hour {
            close()
            current = (hour, played[hour] ?? Plays())
        }
        current?.plays.add(play)
        loaded += 1
    }

    mutating func add(repeat play: StoredPlay, conflicts differs: Bool) {
        let hour = PlayHour(of: play.receivedAt).number
        repeats[hour, default: Repeats()].duplicates += 1
        duplicates += 1
        if differs {
            repeats[hour, default: Repeats()].conflicts += 1
            conflicts += 1
        }
    }

    private mutating func close() {
        if let current { played[current.hour] = current.plays }
    }

    /// The plays by hour.
    var hours: [Int64: Plays] {
        var hours = played
        if let current { hours[current.hour] = current.plays }
        return hours
    }
}
