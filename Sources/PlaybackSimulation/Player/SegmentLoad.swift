/// What a player has loaded of one clip, and the one request that is on its way.
struct SegmentLoad: Sendable {
    /// In ms of the clip.
    static let segmentLength: Int64 = 4_000

    /// What is on its way.
    private struct Pending: Sendable {
        enum Part: Sendable {
            case playlist
            case segment(bitrate: Int, bytes: Int)
        }

        let part: Part
        let asked: Int64
        let answer: EdgeDelivery.Answer
    }

    let clip: Clip
    /// The bitrates of the segments that lie in the buffer, the first at ``bufferBegin``.
    private var bitrates: [Int] = []
    /// In ms of the clip.
    private(set) var bufferBegin: Int64 = 0
    /// Everything received.
    private(set) var bytes: Int64 = 0
    private(set) var failure: PlaybackFailure?
    private(set) var lastBitrate: Int?
    private var playlistsLeft = 2
    private var pending: Pending?
    private var chance: Chance

    init(of clip: Clip, chance: Chance) {
        self.clip = clip
        self.chance = chance
    }

    /// A clip that lies on the device's own storage.
    init(downloaded clip: Clip, chance: Chance) {
        self.init(of: clip, chance: chance)
        playlistsLeft = 0
        let bitrate = 1_200_000
        bitrates = Array(repeating: bitrate, count: Int((clip.length + Self.segmentLength - 1) / Self.segmentLength))
        lastBitrate = bitrate
    }

    /// Up to where the clip can play without a gap, in ms of it.
    var bufferEnd: Int64 {
        min(clip.length, bufferBegin + Int64(bitrates.count) * Self.segmentLength)
    }

    /// Whether nothing is left to ask for.
    var isComplete: Bool { bufferEnd >= clip.length || failure != nil }

    /// When the request on its way is answered, in ms since 1970.
    var nextAnswer: Int64? { pending?.answer.time }

    /// Asks for the next part.
    ///
    /// - Precondition: nothing is on its way.
    mutating func ask(_ delivery: inout EdgeDelivery, _ choice: BitrateChoice, at time: Int64) {
        if playlistsLeft > 0 {
            var answer = delivery.answer(.playlist, popularity: clip.popularity, at: time)
            answer.failure = answer.failure ?? clip.fault
            pending = Pending(part: .playlist, asked: time, answer: answer)
            return
        }
        let bitrate = choice.next
        let milliseconds = min(Self.segmentLength, clip.length - bufferEnd)
        let usual = Double(bitrate) * Double(milliseconds) / 8_000
        // Variants have a variable bitrate, and a little of what comes is no picture.
        let bytes = Int(usual * chance.logNormal(median: 0.98, sigma: 0.12)) + 2_000
        let answer = delivery.answer(.segment(bytes: bytes), popularity: clip.popularity, at: time)
        pending = Pending(part: .segment(bitrate: bitrate, bytes: bytes), asked: time, answer: answer)
    }

    /// Takes the answer that has come.
    mutating func take(_ choice: inout BitrateChoice) {
        guard let pending else { return }
        self.pending = nil
        if let failure = pending.answer.failure {
            self.failure = failure
            return
        }
        switch pending.part {
        case .playlist:
            playlistsLeft -= 1
            bytes += 3_000
        case .segment(let bitrate, let size):
            bitrates.append(bitrate)
            lastBitrate = bitrate
            bytes += Int64(size)
            choice.note(bytes: size, milliseconds: pending.answer.time - pending.asked)
        }
    }

    /// Loads ahead of the play, up to `segments`, as long as answers come before `end`; what is then on its way stays so.
    mutating func preload(
        _ segments: Int, _ delivery: inout EdgeDelivery, _ choice: inout BitrateChoice, from begin: Int64, to end: Int64
    ) {
        var now = begin
        while !isComplete, bitrates.count < segments, now < end {
            if pending == nil { ask(&delivery, choice, at: now) }
            guard let answered = nextAnswer, answered <= end else { return }
            now = answered
            take(&choice)
        }
    }

    /// The viewer jumps: keeps the buffer when the place lies in it, else begins anew there.
    ///
    /// - Returns: whether the clip can go on at once.
    mutating func jump(to position: Int64) -> Bool {
        if (bufferBegin..<bufferEnd).contains(position) { return true }
        bufferBegin = position - position % Self.segmentLength
        bitrates = []
        pending = nil
        return false
    }

    /// The clip as it is loaded by an attempt after a failure: with nothing loaded yet, and often with the same fault.
    mutating func again() -> SegmentLoad {
        var clip = clip
        if let failure, failure.staysWithClip, chance.happens(0.7) { clip.fault = failure }
        return SegmentLoad(of: clip, chance: chance.branch())
    }
}

/// Chooses the variant of the next segment, as players do: by the throughput of the segments before, under the app's cap.
struct BitrateChoice: Sendable {
    /// The variants, in bit/s.
    static let ladder = [240_000, 400_000, 800_000, 1_200_000, 2_000_000, 3_500_000]

    /// The most that the app allows, in bit/s.
    private let cap: Int
    /// In bit/ms; `nil` before the first segment.
    private var throughput: Double?

    init(cap: Int) {
        self.cap = cap
    }

    /// The variant for the next segment, in bit/s: carefully in the middle when nothing is known yet, else the best that
    /// leaves a quarter of the throughput as a reserve.
    var next: Int {
        let affordable = throughput.map { $0 * 0.75 * 1_000 } ?? 900_000
        return Self.ladder.last { $0 <= cap && Double($0) <= affordable } ?? Self.ladder[0]
    }

    /// A segment of so many bytes took so many ms; the last ones count most.
    mutating func note(bytes: Int, milliseconds: Int64) {
        let measured = Double(bytes) * 8 / Double(max(1, milliseconds))
        throughput = throughput.map { $0 * 0.6 + measured * 0.4 } ?? measured
    }

    /// Whether a segment of this variant comes faster than it plays.
    func keepsUp(with bitrate: Int) -> Bool {
        throughput.map { $0 * 1_000 > Double(bitrate) * 1.2 } ?? false
    }
}
