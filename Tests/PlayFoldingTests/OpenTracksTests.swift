import PlaybackEvents
import TestSupport
import Testing

@testable import PlayFolding

@Suite("What a folder holds of open plays")
struct OpenTracksTests {
    private let minute: Int64 = 60_000

    @Test("does not grow with every report of players that are looked at later and later")
    func dueQueue() {
        var folder = PlayFolder()
        for at in 0..<300 as Range<Int64> {
            for player in 0..<25 {
                // A heartbeat a day: nothing but the report itself says when to look before.
                let report = Reports.parse("\(at * minute) \(at) ps p", sid: "s\(player)")
                let line = Reports.line(at: at * minute, report, heartbeatMs: 86_400_000)
                #expect(folder.take(line, at: at).isEmpty)
            }
        }
        #expect(folder.counters.open == 25 && folder.tracks.queue.count <= 4_097)
        // None is forgotten.
        var closed = 0
        for tick in 300..<2_000 as Range<Int64> {
            closed += folder.take(Reports.line(at: tick * minute), at: tick).count
        }
        #expect(closed == 25)
    }

    @Test("keeps in its order what is still wanted, once")
    func keep() {
        var queue = DueQueue()
        for at in [5, 3, 9, 3, 1, 7, 3] as [Int64] { queue.push(DueQueue.Due(at: at, slot: at == 9 ? 1 : 0)) }
        queue.keep { $0.at != 1 }
        #expect(queue.count == 4)
        #expect((0..<5).map { _ in queue.pop(until: 100)?.at } == [3, 5, 7, 9, nil])
    }

    @Test("of two hundred thousand is far below its limit, and closes none early")
    func twoHundredThousand() {
        var folder = PlayFolder()
        let template = Reports.parse("0 0 ps s br=(567);400 1 ps p br=(1066) bl=(9400)")
        for number in 0..<200_000 {
            var line = Reports.line(at: Int64(number % 1_000), template, key: "web")
            let sid = Array("0b0201a1-f4b3-4ffc-93bb-\(1_000_000_000_000 + number)".utf8)
            for report in line.reports.indices { line.reports[report].sid = sid }
            #expect(folder.take(line, at: Int64(number)).isEmpty)
        }
        #expect(folder.counters.open == 200_000)
        let each = folder.counters.bytes / 200_000
        #expect(each < 450 && folder.counters.bytes < folder.limits.bytes / 2, "\(each) bytes a play")
    }
}
