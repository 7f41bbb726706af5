import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ingest

@Suite("The probe of the disk")
struct DiskProbeTests {
    /// A disk that counts its writes and may hang.
    private final class Disk: Sendable {
        let writes = Atomic(0)
        let hangs: DispatchSemaphore?

        init(hangs: DispatchSemaphore? = nil) {
            self.hangs = hangs
        }

        func write() -> String? {
            writes.add(1, ordering: .relaxed)
            hangs?.wait()
            return nil
        }

        var count: Int { writes.load(ordering: .relaxed) }
    }

    @Test("writes once for all who ask within its freshness, and again after it")
    func freshness() {
        let disk = Disk()
        let probe = DiskProbe(freshness: .seconds(3_600), write: disk.write)
        for _ in 0..<10 { #expect(probe.fault() == nil) }
        #expect(disk.count == 1)
        let always = DiskProbe(freshness: .zero, write: disk.write)
        for _ in 0..<3 { #expect(always.fault() == nil) }
        #expect(disk.count == 4)
    }

    @Test("says what went wrong until a write succeeds")
    func fault() {
        let writes = Atomic(0)
        let probe = DiskProbe(freshness: .zero) {
            writes.add(1, ordering: .relaxed).newValue < 3 ? "no room" : nil
        }
        #expect((0..<4).map { _ in probe.fault() } == ["no room", "no room", nil, nil])
    }

    @Test("waits for a disk that hangs no longer than it was told, starts no second write, and hears of its end")
    func hanging() {
        let end = DispatchSemaphore(value: 0)
        let disk = Disk(hangs: end)
        let probe = DiskProbe(freshness: .seconds(3_600), patienceMs: 10, write: disk.write)
        for _ in 0..<3 { #expect(probe.fault() == "a write has not come back for 0 s") }
        #expect(disk.count == 1)
        end.signal()
        // The write under way comes back at its own time.
        while probe.fault() != nil {}
        #expect(disk.count == 1)
    }
}
