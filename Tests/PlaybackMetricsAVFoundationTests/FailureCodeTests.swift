import Foundation
import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("The code of a failure")
struct FailureCodeTests {
    private func error(_ domain: String, _ code: Int, under: NSError? = nil) -> NSError {
        NSError(domain: domain, code: code, userInfo: under.map { [NSUnderlyingErrorKey: $0] } ?? [:])
    }

    private let entry = FailureCode.LogEntry(domain: "CoreMediaErrorDomain", code: -12938)

    @Test("is that of the deepest underlying error that has one")
    func deepest() {
        let wrapped = error(
            "AVFoundationErrorDomain", -11800,
            under: error(
                "NSOSStatusErrorDomain", -12660, under: error("CoreMediaErrorDomain", -12660, under: error("X", 0))))
        #expect(
            FailureCode.choose(wrapped, log: [entry], isLettingGo: false)
                == PlaybackError(domain: "CoreMediaErrorDomain", code: -12660))
    }

    @Test("is that of the log's last entry when nothing lies under the error")
    func log() {
        let bare = error("AVFoundationErrorDomain", -11800)
        let log = [
            FailureCode.LogEntry(domain: "CoreMediaErrorDomain", code: -12318), entry, .init(domain: "X", code: 0),
        ]
        #expect(
            FailureCode.choose(bare, log: log, isLettingGo: false)
                == PlaybackError(domain: "CoreMediaErrorDomain", code: -12938))
    }

    @Test("is the error's own when nobody knows more")
    func own() {
        #expect(
            FailureCode.choose(error("AVFoundationErrorDomain", -11867), log: [], isLettingGo: false)
                == PlaybackError(domain: "AVFoundationErrorDomain", code: -11867))
        #expect(
            FailureCode.choose(nil, log: [], isLettingGo: false)
                == PlaybackError(domain: "AVFoundationErrorDomain", code: -11800))
    }

    @Test("is none for a request that was cancelled because the item was let go")
    func cancelled() {
        let cancelled = error("AVFoundationErrorDomain", -11800, under: error("NSURLErrorDomain", -999))
        #expect(FailureCode.choose(cancelled, log: [], isLettingGo: true) == nil)
        #expect(
            FailureCode.choose(cancelled, log: [], isLettingGo: false)
                == PlaybackError(domain: "NSURLErrorDomain", code: -999))
    }

    @Test("tells a viewer without a network as what he is")
    func offline() {
        let offline = error("AVFoundationErrorDomain", -11800, under: error("NSURLErrorDomain", -1009))
        for isLettingGo in [true, false] {
            #expect(
                FailureCode.choose(offline, log: [entry], isLettingGo: isLettingGo)
                    == PlaybackError(domain: "NSURLErrorDomain", code: -1009))
        }
    }

    @Test("is found however deep errors lie under each other")
    func endless() {
        var deep = error("D", 1)
        for code in 2...10_000 { deep = error("D", code, under: deep) }
        #expect(FailureCode.choose(deep, log: [], isLettingGo: false) == PlaybackError(domain: "D", code: 9985))
    }
}
