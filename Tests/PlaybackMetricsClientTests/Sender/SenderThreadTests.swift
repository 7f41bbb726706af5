import Foundation
import PlaybackMetricsClient
import Testing

/// Also run under ThreadSanitizer.
@Suite("The sender, from many threads", .timeLimit(.minutes(2)))
struct SenderThreadTests {
    @Test("loses count of nothing while eight threads record beside flush, start, stop, stats and the background")
    func threads() async {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http)
        let sender = bench.sender
        let perThread = 2000
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                // Real threads: the cooperative pool has no more than there are cores.
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            for number in 0..<perThread { sender.record(.sample(thread * perThread + number)) }
                            continuation.resume()
                        }
                    }
                }
            }
            group.addTask { for _ in 0..<200 { await sender.flush() } }
            group.addTask { for _ in 0..<200 { await sender.flushInBackground().value } }
            group.addTask {
                for _ in 0..<100 {
                    sender.start()
                    await sender.stop()
                }
            }
            group.addTask {
                for _ in 0..<1000 {
                    let stats = sender.stats
                    #expect(stats.isConserved)
                    #expect(stats.queued + stats.inFlight <= 500)
                }
            }
        }
        await sender.stop()
        #expect(sender.stats.recorded == 8 * perThread)
        #expect(sender.stats.queued == 0)
        #expect(sender.stats.isConserved)
        let ids = http.bodies.compactMap { try? SentBody($0) }.flatMap { $0.events.map(\.playId) }
        #expect(ids.count == sender.stats.delivered)
        #expect(Set(ids).count == ids.count)
        #expect(bench.host.begun == bench.host.ended)
    }

    @Test("keeps sender report and spool in step while threads record, and consent comes and goes")
    func storage() async throws {
        let folder = try StorageFolder()
        do {
            let sender = folder.sender(ScriptedHTTPClient(), spool: .caches(limit: 500))
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<4 {
                    group.addTask {
                        await withCheckedContinuation { continuation in
                            Thread.detachNewThread {
                                for number in 0..<500 { sender.record(.sample(thread * 500 + number)) }
                                continuation.resume()
                            }
                        }
                    }
                }
                group.addTask { for _ in 0..<50 { await sender.flushInBackground().value } }
                group.addTask {
                    for consent in [PlaybackConsent.denied, .granted, .pending, .granted] {
                        sender.consent = consent
                        await sender.flush()
                        #expect(sender.stats.isConserved)
                    }
                }
            }
            sender.record(.sample(9_999))
        }
        let http = ScriptedHTTPClient()
        await folder.sender(http, spool: .caches(limit: 500)).flush()
        let numbers = try http.sentNumbers.flatMap { $0 }
        #expect(numbers.last == 9_999 && Set(numbers).count == numbers.count && numbers.count <= 500)
    }

    @Test("lets sessions, ids and doubles be used from everywhere")
    func others() async {
        let session = PlaybackSession()
        let metrics = InMemoryPlaybackMetrics()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 {
                        session.renew()
                        let context = PlaybackContext(session: session)
                        let id = TimeOrderedIDs.shared.makeID()
                        metrics.record(PlaybackSummary(videoId: "v1", playId: id, context: context))
                    }
                }
            }
        }
        #expect(Set(metrics.summaries.map(\.playId)).count == 4000)
    }
}
