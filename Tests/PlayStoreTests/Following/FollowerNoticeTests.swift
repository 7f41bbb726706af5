import Archive
import PlaybackEvents
import Synchronization
import TestSupport
import Testing

@testable import PlayStore

@Suite("What goes wrong in a store's own files")
struct FollowerNoticeTests {
    private struct Fault: Error, CustomStringConvertible { let description: String }

    private struct NoLines: LineGatherer {
        var count: Int { 0 }
        func gather(_ lines: borrowing LoggedPlays, unloadable: Int) -> [Int] { [] }
        func gather(_ rejections: RejectionTally) {}
        func seal(reusing spent: consuming NoLines?) -> NoLines { self }
    }

    /// A store that has nothing to load and whose files fail as the test says.
    private final class FailingStore: Store, Sendable {
        let restFault = Mutex<Fault?>(nil)
        let found = Mutex<String?>(nil)

        var positions: LogPositions { LogPositions() }
        var totals: StoreTotals { StoreTotals() }
        func gatherer() -> NoLines { NoLines() }
        func commit(_ batch: NoLines, upTo positions: LogPositions) throws {}
        func erase(_ erasure: StoreErasure) throws -> Int64 { 0 }
        func rest() throws { if let fault = restFault.withLock({ $0 }) { throw fault } }
        func pruneSome(before day: Int64) throws -> Int64? { nil }
        func damage() -> String? { found.withLock { $0 } }
    }

    private let folder: TemporaryFolder
    private let store = FailingStore()
    private let notices = NoticeList()

    private final class NoticeList: Sendable {
        private let list = Mutex<[FollowerNotice]>([])
        func add(_ notice: FollowerNotice) { list.withLock { $0.append(notice) } }
        var all: [FollowerNotice] { list.withLock { $0 } }
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func follower() -> Follower {
        var configuration = FollowerConfiguration()
        configuration.pollMs = 1
        configuration.restAfterMs = 1
        configuration.lookMs = 0
        configuration.onNotice = notices.add
        let store = store
        return Follower(store: store, data: DataPaths(folder.path("data")), configuration: configuration)
    }

    @Test("is told when they can't be put in order, once until they can")
    func rest() throws {
        store.restFault.withLock { $0 = Fault(description: "no room") }
        let follower = follower()
        try follower.start()
        try waitUntil("a failed rest") { !notices.all.isEmpty }
        follower.stop()
        #expect(notices.all == [.restFailed("no room")])
        func rest() { follower.loop.withLock { follower.rest($0) } }
        // The next tries fail as well.
        for _ in 0..<3 { rest() }
        #expect(notices.all == [.restFailed("no room")])
        store.restFault.withLock { $0 = nil }
        rest()
        store.restFault.withLock { $0 = Fault(description: "a bad block") }
        for _ in 0..<2 { rest() }
        #expect(notices.all == [.restFailed("no room"), .restFailed("a bad block")])
    }

    @Test("is told when a look finds it, again when it finds something else, and when it has gone")
    func looks() throws {
        let follower = follower()
        try follower.start()
        for words in ["gone", "cut"] {
            store.found.withLock { $0 = words }
            try waitUntil("the damage") { follower.status.damage == words }
        }
        store.found.withLock { $0 = nil }
        try waitUntil("the end of the damage") { follower.status.damage == nil }
        follower.stop()
        #expect(notices.all == [.storeDamaged("gone"), .storeDamaged("cut"), .storeSound])
    }
}
