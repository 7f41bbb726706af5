import Foundation
import TestSupport
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("What comes in from the player and the app")
struct MainThreadTests {
    @Test("is taken whichever thread it comes from, and brings nothing down", .timeLimit(.minutes(1)))
    func anyThread() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                MainThread.run { continuation.resume() }
            }
        }
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
