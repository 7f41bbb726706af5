import Foundation
import PlaybackEvents
import PlaybackSimulation
import Testing

@Suite("What a simulated server receives")
struct RecordedFileTests {
    private let recorded: RecordedPlays

    init() async throws {
        recorded = try await RecordedPlays.twoDays.value
    }

    @Test("comes in the order of its times of receipt, those of one sender one after the other")
    func order() {
        let times = recorded.lines.map(\.receivedAt)
        #expect(times == times.sorted())
        var last: [String: (receivedAt: Int64, sequence: Int)] = [:]
        for line in recorded.lines {
            let account = line.body.sender
            if let before = last[account.senderId] {
                #expect(line.receivedAt > before.receivedAt)
                #expect(account.sequence > before.sequence)
            }
            last[account.senderId] = (line.receivedAt, account.sequence)
        }
    }

    @Test("is one line a request, ended by LF")
    func lines() {
        #expect(recorded.bytes.last == UInt8(ascii: "\n"))
        #expect(recorded.bytes.count { $0 == UInt8(ascii: "\n") } == recorded.lines.count)
        #expect(recorded.bytes.starts(with: Data(#"{"receivedAt":"#.utf8)))
    }

    @Test("holds plays of the simulated days only, some of them received much later")
    func days() {
        let begin = Simulation.Configuration.sample.midnight
        let times = recorded.plays.map(\.time)
        #expect(times.allSatisfy { (begin..<begin + 2 * 86_400_000).contains($0) })
        let late = recorded.plays.filter { $0.event.ageMs > 3_600_000 }.count
        #expect((20...recorded.plays.count / 10).contains(late))
    }

    @Test("is what the server accepts, every play and every account of it")
    func decoded() throws {
        // One in ten: without optimisation, decoding takes its time.
        for (index, request) in recorded.requests.enumerated() where index.isMultiple(of: 10) {
            let receipt = Receipt(
                receivedAt: request.receivedAt, requestId: Identifier128(high: 1, low: UInt64(request.receivedAt)))
            let batch = try RequestDecoder.decode([UInt8](request.body), receipt: receipt)
            #expect(batch.rejections.isEmpty)
            #expect(batch.unknownFields == 0)
            #expect(batch.account != nil)
        }
    }

    @Test("keeps to the ranges of the contract")
    func ranges() {
        for play in recorded.plays {
            let event = play.event
            #expect((1...128).contains(event.videoId.utf8.count))
            #expect((0...86_400_000).contains(event.watchedMs))
            #expect((0...event.watchedMs).contains(event.stalledMs))
            #expect((0...100_000).contains(event.stalls))
            #expect(event.stalls > 0 || event.stalledMs == 0)
            #expect(event.startupMs.map { (0...3_600_000).contains($0) } ?? true)
            #expect(event.waitedMs.map { (0...3_600_000).contains($0) } ?? true)
            #expect(event.avgBitrate.map { (1...1_000_000_000).contains($0) } ?? true)
            #expect(event.bytes.map { (0...1 << 40).contains($0) } ?? true)
            #expect(event.memoryBytes.map { $0 > 100 << 20 && $0 < 600 << 20 } ?? false)
            #expect((1...4).contains(event.attempt ?? 1))
            #expect(play.hasStarted == (event.waitedMs == nil))
            #expect(UUID(uuidString: event.playId) != nil)
        }
    }

    @Test("accounts for every play: arrived, given up, or still unknown")
    func accounts() {
        var newest: [String: RecordedPlays.Account] = [:]
        for line in recorded.lines { newest[line.body.sender.senderId] = line.body.sender }
        let arrived = Dictionary(grouping: recorded.plays, by: \.senderId).mapValues(\.count)
        for (sender, account) in newest {
            #expect(arrived[sender, default: 0] + account.dropped <= account.made)
            #expect(account.rejected == 0)
        }
        let made = newest.values.reduce(0) { $0 + $1.made }
        let dropped = newest.values.reduce(0) { $0 + $1.dropped }
        #expect(dropped > 0)
        // Some get lost without a trace; most arrive.
        #expect(Double(recorded.plays.count) > 0.97 * Double(made - dropped))
        #expect(made <= recorded.report.plays)
    }

    @Test("is what the senders count as delivered, but for what a proxy swallowed and what lost its answer")
    func conservation() {
        let report = recorded.report
        #expect(report.plays == report.delivered + report.dropped + report.left)
        #expect(abs(report.delivered - recorded.plays.count) < report.plays / 50)
        #expect(report.attempts > recorded.lines.count)
        let sent = recorded.lines.reduce(0) { $0 + $1.body.events.count }
        #expect(sent > recorded.plays.count, "no answer was lost on the way, so nothing was sent twice")
    }
}
