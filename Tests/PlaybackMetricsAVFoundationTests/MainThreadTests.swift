import Foundation
import TestSupport
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("What comes in from the player and the app")
struct MainThreadTests {
    @Test("is taken on the main thread whichever it comes from, and brings nothing down", .timeLimit(.minutes(1)))
    func anyThread() async {
        let (seenElsewhere, ranOnMain) = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let seen = MainThread.value { 1 }
                MainThread.run { continuation.resume(returning: (seen, Thread.isMainThread)) }
            }
        }
        #expect(seenElsewhere == nil && ranOnMain)
    }

    @Test("is taken at once on the main thread")
    @MainActor
    func mainThread() {
        let taken = Taken()
        MainThread.run { taken.count += 1 }
        #expect(taken.count == 1 && MainThread.value { 2 } == 2)
    }

    @MainActor
    private final class Taken {
        var count = 0
    }

    @Test("never assumes the main thread where nobody has looked")
    func assumptions() throws {
        let folder = Checkout.root.appendingPathComponent("Sources/PlaybackMetricsAVFoundation").path
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let assuming = try names.filter { $0.hasSuffix(".swift") }.filter {
            try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8).contains("assumeIsolated")
        }
        #expect(assuming == ["Observation/MainThread.swift"])
    }
}
