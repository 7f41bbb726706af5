import Foundation
import TestSupport
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("What comes in from the player and the app")
struct MainThreadTests {
    @Test(
        "is taken whichever thread it comes from, and what only the main thread knows is told there alone",
        .timeLimit(.minutes(1)))
    func anyThread() async {
        let elsewhere = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let seen = MainThread.value { 1 }
                MainThread.run { continuation.resume(returning: seen) }
            }
        }
        #expect(elsewhere == nil)
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
