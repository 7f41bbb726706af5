import Foundation
import PlaybackMetricsClient
import Testing

@Suite("A play's context")
struct ContextTests {
    @Test("knows the app, the system and the device by itself")
    func device() throws {
        let session = PlaybackSession()
        let context = PlaybackContext(session: session)
        #expect(context.session == session.id)
        #expect(try #require(context.osVersion).text.contains("."))
        #expect(context.deviceModel != nil)
        #expect(context.cdn == nil && context.cdnRegion == nil && context.network == nil && context.tags.count == 0)
    }

    @Test("has typed tags, in the words that reports know")
    func tags() {
        var tags = PlaybackTags()
        tags.lifecycle = .reusePool
        tags.acquired = .hit
        tags.preloaded = true
        tags.autoplay = false
        tags.presentation = .pip
        let words = tags.names.map { "\($0)=\(tags[$0]?.text ?? "")" }
        #expect(words == ["acquired=hit", "autoplay=no", "lifecycle=reuse_pool", "preloaded=yes", "presentation=pip"])
        #expect(tags.lifecycle == .reusePool && tags.acquired == .hit && tags.presentation == .pip)
        #expect(tags.preloaded == true && tags.autoplay == false)
        #expect(PlayerLifecycle.allCases.map(\.rawValue) == ["default", "reuse_pool", "id_scoped_pool", "singleton"])
        #expect(PlayerAcquisition.allCases.map(\.rawValue) == ["new", "reused", "hit"])
        #expect(PlaybackPresentation.allCases.map(\.rawValue) == ["inline", "fullscreen", "pip"])
        #expect(PlaybackSource.allCases.map(\.rawValue) == ["stream", "download"])
        #expect(
            PlaybackNetwork.allCases.map(\.rawValue) == ["wifi", "cellular", "constrained", "ethernet", "other"])
    }

    @Test("takes tags away, and no word of another meaning for one of its own")
    func tagsAway() {
        var tags = PlaybackTags()
        tags.lifecycle = .singleton
        tags.lifecycle = nil
        tags.preloaded = nil
        #expect(tags.count == 0)
        tags["lifecycle"] = "something"
        #expect(tags.lifecycle == nil)
        tags["preloaded"] = "maybe"
        #expect(tags.preloaded == nil)
    }

    @Test("holds eight tags and ignores a ninth")
    func limit() {
        var tags = PlaybackTags()
        for number in 1...9 { tags[TagName("t\(number)") ?? "none"] = "x" }
        #expect(tags.count == PlaybackTags.limit)
        #expect(tags["t9"] == nil)
        tags["t8"] = "y"
        #expect(tags["t8"] == "y")
    }

    @Test("is not copied with a summary, and changes only in the one that is changed")
    func sharing() {
        let first = PlaybackSummary.sample(1)
        var second = first
        #expect(first == second && first.hashValue == second.hashValue)
        second.context.cdn = "fastly"
        #expect(first.context.cdn == nil)
        #expect(first != second)
        second.context.cdn = nil
        #expect(first == second)
    }
}

@Suite("Doubles")
struct DoubleTests {
    @Test("in memory keep every play, in order")
    func inMemory() {
        let metrics = InMemoryPlaybackMetrics()
        for number in 0..<3 { metrics.record(.sample(number)) }
        #expect(metrics.summaries.map(\.playId) == (0..<3).map(NumberedIDs.id))
        metrics.removeAll()
        #expect(metrics.summaries.isEmpty)
    }

    @Test("without operation take whatever comes, and have no room to keep it")
    func noOp() {
        let metrics = NoOpPlaybackMetrics()
        for number in 0..<3 { (metrics as any PlaybackMetrics).record(.sample(number)) }
        #expect(Mirror(reflecting: metrics).children.isEmpty && MemoryLayout.size(ofValue: metrics) == 0)
    }
}
