import Archive
import Glibc
import PlayFolding
import PlaybackEvents
import Synchronization
import TestSupport
import Testing

@testable import HTTPServing
@testable import Ingest

@Suite("The quarantine's share for lines that are no reports")
struct CMCDShareTests {
    @Test("gets back what came to nothing, since the disk was full")
    func givenBack() throws {
        let folder = try TemporaryFolder()
        let isFull = Mutex(true)
        var configuration = CommitterConfiguration()
        let write = configuration.files.write
        configuration.files.write = { descriptor, bytes, offset in
            isFull.withLock { $0 } ? -Int(ENOSPC) : write(descriptor, bytes, offset)
        }
        let directory = try DataDirectory(folder.path("data"))
        let committer = try Committer(directory: directory, configuration: configuration)
        defer { committer.stop() }
        let damage = DamageList()
        let counters = CMCDCounters()
        let route = CMCDRoute(
            isOn: true,
            access: SharedAccess(
                AccessRules(writeKeys: KeyRing(), readKeys: KeyRing(), allowsAnonymous: true, listensOnLoopback: true)),
            limiter: nil, gate: JudgingGate(slots: 1), committer: committer,
            erased: ErasedPlays(Tombstones(secret: Identifier128(high: 0, low: 0))), counters: counters,
            // Room for one line.
            share: QuarantineShare(limit: 200), isLagging: { false },
            refusals: RequestRefusals(
                counters: IngestCounters(),
                failures: FailureLog(log: EventLog(now: { 0 }, write: { _ in }), damage: damage)),
            now: { 1_796_000_000_000 })
        func post() throws -> Int {
            let head = try HTTPRequestHead(
                parsing:
                    "POST /v1/cmcd HTTP/1.1\r\nHost: x\r\nContent-Type: application/cmcd\r\nContent-Length: 3\r\n\r\n")
            guard case .take(let admitted) = route.admit(head) else { return 0 }
            var room = BudgetRoom(in: ByteBudget(limit: 1 << 20), owner: "")
            return admitted.respond(HTTPRequest(head: head, body: Array("%%%".utf8)), &room).status
        }
        for _ in 0..<5 { #expect(try post() == 503) }
        isFull.withLock { $0 = false }
        #expect(try post() == 204)
        #expect(counters.quarantined.load(ordering: .relaxed) == 1)
        #expect(counters.quarantineDropped.load(ordering: .relaxed) == 0)
        #expect(try post() == 204)
        #expect(counters.quarantineDropped.load(ordering: .relaxed) == 1)
    }
}
