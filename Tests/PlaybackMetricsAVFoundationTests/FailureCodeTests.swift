import Foundation
import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("The code of a failure")
struct FailureCodeTests {
    private func error(_ domain: String, _ code: Int, under: NSError? = nil) -> NSError {
        NSError(domain: domain, code: code, userInfo: under.map { [NSUnderlyingErrorKey: $0] } ?? [:])
    }

    private func chosen(_ error: NSError?, isLettingGo: Bool = false) -> PlaybackError? {
        FailureCode.choose(error, isLettingGo: isLettingGo)?.error
    }

    @Test("is the error's own, unless that is AVFoundation's empty one")
    func own() {
        #expect(
            chosen(error("AVFoundationErrorDomain", -11867, under: error("X", 1)))
                == PlaybackError(domain: "AVFoundationErrorDomain", code: -11867))
        #expect(chosen(error("NSURLErrorDomain", -1009)) == PlaybackError(domain: "NSURLErrorDomain", code: -1009))
    }

    @Test("is that of the deepest underlying error that says something else")
    func deepest() {
        let wrapped = error(
            "AVFoundationErrorDomain", -11800,
            under: error(
                "AVFoundationErrorDomain", -11828, under: error("CoreMediaErrorDomain", -12660, under: error("X", 0))))
        #expect(chosen(wrapped) == PlaybackError(domain: "CoreMediaErrorDomain", code: -12660))
    }

    @Test("keeps the domain above a private one that repeats its number", arguments: [-1009, -1001])
    func repeated(_ code: Int) {
        for under in [nil, error("kCFErrorDomainCFNetwork", code)] {
            let lost = error("AVFoundationErrorDomain", -11800, under: error("NSURLErrorDomain", code, under: under))
            #expect(chosen(lost) == PlaybackError(domain: "NSURLErrorDomain", code: code))
        }
    }

    @Test("says nothing when the error does", arguments: [true, false])
    func vague(isThere: Bool) {
        let bare = isThere ? error("AVFoundationErrorDomain", -11800) : nil
        let choice = FailureCode.choose(bare, isLettingGo: false)
        #expect(choice?.isVague == true)
        #expect(choice?.error == PlaybackError(domain: "AVFoundationErrorDomain", code: -11800))
        #expect(FailureCode.choose(error("X", 1), isLettingGo: false)?.isVague == false)
    }

    @Test("is that of the log's last fatal entry then, which no warning is and no cancelled request")
    func log() {
        let media = "CoreMediaErrorDomain"
        let fatal = FailureCode.LogEntry(domain: media, code: -12938)
        let others = [(media, -12318), (media, -12889), ("NSURLErrorDomain", -999), ("X", 0)]
            .map { FailureCode.LogEntry(domain: $0.0, code: $0.1) }
        #expect(FailureCode.fatal(in: [FailureCode.LogEntry(domain: media, code: -1), fatal] + others) == fatal)
        #expect(FailureCode.fatal(in: others) == nil)
    }

    @Test("is none for a request that was cancelled because the item was let go")
    func cancelled() {
        let cancelled = error("AVFoundationErrorDomain", -11800, under: error("NSURLErrorDomain", -999))
        #expect(chosen(cancelled, isLettingGo: true) == nil)
        #expect(chosen(cancelled) == PlaybackError(domain: "NSURLErrorDomain", code: -999))
    }

    @Test("is found however deep errors lie under each other")
    func endless() {
        var deep = error("D", 1)
        for code in 2...10_000 { deep = error("D", code, under: deep) }
        deep = error("AVFoundationErrorDomain", -11800, under: deep)
        #expect(chosen(deep) == PlaybackError(domain: "D", code: 9986))
    }
}
