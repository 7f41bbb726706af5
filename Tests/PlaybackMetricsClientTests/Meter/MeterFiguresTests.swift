import Foundation
import PlaybackMetricsClient
import Testing

@Suite("The meter's other figures")
struct MeterFiguresTests {
    @Test("weight the bitrate by the time that it played, stalls and pauses left out")
    func bitrate() throws {
        var run = MeterRun()
        run.at(0, .play, .playing, .bitrate(1_000_000))
        run.at(1000, .bitrate(4_000_000))
        run.at(2000, .stalled)
        run.at(3000, .pause)
        run.at(9000, .playing)
        run.at(10_000, .bitrate(nil))
        #expect(try run.close(60_000, .stop).avgBitrate == 3_000_000)
    }

    @Test(
        "take what is no bitrate for not known",
        arguments: [nil, 0, -1, .nan, .infinity, -.infinity, 1_000_000_001] as [Double?])
    func unknownBitrate(_ value: Double?) throws {
        var run = MeterRun()
        run.at(0, .play, .playing, .bitrate(value))
        run.at(1000, .bitrate(1_000_000_000))
        run.at(2000, .bitrate(value))
        #expect(try run.close(9000, .stop).avgBitrate == 1_000_000_000)
        run.at(9000, .play, .playing, .bitrate(value))
        #expect(try run.close(9500, .stop).avgBitrate == nil)
    }

    @Test("keep the latest count of bytes and account of the startup, and ignore unknown ones")
    func counts() throws {
        var run = MeterRun()
        run.at(0, .play, .bytes(10), .logStartup(400), .bytes(20), .bytes(-1), .logStartup(-1))
        let play = try run.close(10, .stop)
        #expect(play.bytes == 20)
        #expect(play.accessLogStartupMs == 400)
    }

    @Test("take a sample of the memory when the play closes, unless they are told one")
    func memory() throws {
        var run = MeterRun(memory: 111)
        run.at(0, .play)
        #expect(run.at(10, .stop)?.memoryBytes == 111)
        run.at(20, .play, .memory(222), .memory(-1))
        #expect(run.at(30, .stop)?.memoryBytes == 222)
    }

    @Test("are left out when the system does not know the memory", arguments: [nil, -5, .max] as [Int64?])
    func noMemory(_ sample: Int64?) throws {
        var run = MeterRun(memory: sample)
        run.at(0, .play)
        #expect(try run.close(10, .stop).memoryBytes == nil)
    }

    @Test("are cut to what an endpoint takes")
    func ranges() throws {
        var run = MeterRun()
        run.at(0, .play, .bytes(.max), .logStartup(.max), .playerStalls(.max, milliseconds: .max))
        run.at(7_200_000, .playing)
        let play = try run.close(86_400_000, .stop)
        #expect(play.startupMs == 3_600_000)
        #expect(play.watchedMs == 79_200_000)
        #expect(play.bytes == 1 << 40)
        #expect(play.accessLogStartupMs == 3_600_000)
        #expect(play.playerStalls == 100_000 && play.playerStalledMs == 86_400_000)
    }

    @Test("take the player's own account of its stalls along, when it is one")
    func playerStalls() throws {
        var run = MeterRun()
        run.at(0, .play, .playerStalls(2, milliseconds: 700), .playerStalls(-1, milliseconds: 9))
        run.at(1, .playerStalls(9, milliseconds: -1))
        let play = try run.close(10, .stop)
        #expect(play.playerStalls == 2 && play.playerStalledMs == 700)
        run.at(20, .play)
        #expect(try run.close(30, .stop).playerStalls == nil)
    }

    @Test("bear any instant")
    func extremes() throws {
        var meter = PlaybackMeter(videoId: "v1") { PlaybackContext() }
        meter.handle(.play, at: PlaybackInstant(sinceOrigin: .seconds(Int64.min)))
        meter.handle(.status(.playing), at: PlaybackInstant(sinceOrigin: .seconds(Int64.max)))
        let end = PlaybackInstant(sinceOrigin: .zero).advanced(by: .seconds(Int64.max)).advanced(
            by: .seconds(Int64.max))
        let play = try meter.close(with: .stop, at: end)
        #expect(play.startupMs == 3_600_000)
        #expect(play.watchedMs == 0)
    }

    @Test("come with the process's own memory and an id of version 7 when nothing else is said")
    func defaults() throws {
        var meter = PlaybackMeter(videoId: "v1") { PlaybackContext() }
        let before = PlaybackInstant.now
        meter.handle(.play, at: before)
        let play = try meter.close(with: .stop, at: .now)
        #expect(before <= PlaybackInstant.now)
        #expect((play.memoryBytes ?? 0) > 1 << 20)
        #expect(play.playId.uuid.6 >> 4 == 7)
        #expect(play.playId.uuid.8 >> 6 == 2)
    }
}
