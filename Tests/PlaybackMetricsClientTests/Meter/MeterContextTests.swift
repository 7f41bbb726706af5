import PlaybackMetricsClient
import Testing

@Suite("The meter, and the circumstances of a play")
struct MeterContextTests {
    private let now = Mutable(PlaybackContext())

    private func run() -> MeterRun { MeterRun { [now] in now.value } }

    @Test("keep those of the beginning, but for who served it")
    func beginning() throws {
        let session = PlaybackSession(ids: NumberedIDs())
        now.value = PlaybackContext(session: session)
        now.value.appVersion = "5.1"
        now.value.player = "AVPlayer"
        now.value.source = .stream
        now.value.tags["experiment"] = "a"
        now.value.network = .wifi
        let first = now.value
        var run = run()
        run.at(0, .play)
        session.renew()
        var late = PlaybackContext(session: session)
        late.appVersion = "5.2"
        late.player = "other"
        late.source = .download
        late.tags["experiment"] = "b"
        late.network = .cellular
        late.cdn = "fastly"
        late.cdnRegion = "FRA"
        now.value = late
        let context = try run.close(10, .stop).context
        #expect(context.session == first.session && context.appVersion == "5.1" && context.player == "AVPlayer")
        #expect(context.source == .stream && context.tags["experiment"] == "a")
        #expect(context.network == .cellular && context.cdn == "fastly" && context.cdnRegion == "FRA")
    }

    @Test("lose nothing to a later value that is not known")
    func unknownLater() throws {
        now.value.network = .wifi
        now.value.cdn = "fastly"
        now.value.cdnRegion = "FRA"
        var run = run()
        run.at(0, .play)
        now.value = PlaybackContext()
        let context = try run.close(10, .stop).context
        #expect(context.network == .wifi && context.cdn == "fastly" && context.cdnRegion == "FRA")
        #expect(context.tags.count == 0)
    }

    @Test("say that the edge changed, and name the one that served last")
    func changed() throws {
        now.value.cdnRegion = "FRA"
        var run = run()
        run.at(0, .play)
        now.value.cdnRegion = "AMS"
        let context = try run.close(10, .stop).context
        #expect(context.cdnRegion == "AMS" && context.tags["edges"] == "2")
    }

    @Test("count the edges that the play's own responses show, whatever the app thought at its beginning")
    func evidence() throws {
        now.value.cdn = "fastly"
        now.value.cdnRegion = "FRA"
        var run = run()
        run.at(0, .play, .edge(CDNEdge(cdn: "fastly")), .edge(CDNEdge(cdn: "fastly", region: "AMS")))
        run.at(5, .edge(CDNEdge()), .edge(CDNEdge(cdn: "fastly", region: "AMS")))
        var context = try run.close(10, .ended).context
        #expect(context.cdn == "fastly" && context.cdnRegion == "AMS" && context.tags["edges"] == nil)
        run.at(20, .play, .edge(CDNEdge(cdn: "fastly", region: "AMS")), .edge(CDNEdge(cdn: "cloudfront")))
        run.at(25, .edge(CDNEdge(cdn: "fastly", region: "AMS")), .edge(CDNEdge(cdn: "akamai")))
        context = try run.close(30, .ended).context
        // The region of one CDN is none of another's.
        #expect(context.cdn == "akamai" && context.cdnRegion == nil && context.tags["edges"] == "3")
        run.at(40, .play)
        #expect(try run.close(50, .stop).context.cdnRegion == "FRA")
    }

    @Test("leave the library's own tags out where the app's eight take the room: edges first, start last")
    func precedence() throws {
        let cases: [(own: Int, start: String?, edges: String?)] = [
            (8, nil, nil), (7, "replay", nil), (6, "replay", "2"),
        ]
        for (own, start, edges) in cases {
            now.value = PlaybackContext()
            for number in 0..<own { now.value.tags[TagName("t\(number)") ?? "x"] = "y" }
            var run = run()
            run.at(0, .play, .playing, .ended, .play)
            run.at(1, .edge(CDNEdge(region: "FRA")), .edge(CDNEdge(region: "AMS")))
            let tags = try run.close(10, .stop).context.tags
            #expect(tags["start"]?.text == start && tags["edges"]?.text == edges)
            #expect(tags.names.filter { $0.text.hasPrefix("t") }.count == own)
        }
    }
}

@Suite("A session")
struct SessionTests {
    private let time = Mutable(Duration.zero)

    private func session() -> PlaybackSession {
        PlaybackSession(ids: NumberedIDs(), now: { [time] in time.value })
    }

    @Test("goes on when the app comes back soon, and ends when it was away for half an hour")
    func renewal() {
        let session = session()
        let first = session.id
        for (away, isSame) in [(1799, true), (1800, false), (90_000, false)] {
            let before = session.id
            session.appDidEnterBackground()
            time.value += .seconds(away)
            session.appWillEnterForeground()
            #expect((session.id == before) == isSame, "after \(away) s")
        }
        #expect(session.id != first)
        let last = session.id
        time.value += .seconds(90_000)
        session.appWillEnterForeground()
        #expect(session.id == last)
    }

    @Test("ends after what the app says instead", arguments: [Duration.zero, .seconds(60)])
    func renewAfter(_ limit: Duration) {
        let session = PlaybackSession(ids: NumberedIDs(), renewAfter: limit, now: { [time] in time.value })
        let before = session.id
        session.appDidEnterBackground()
        time.value += limit
        session.appWillEnterForeground()
        #expect(session.id != before && session.renewAfter == limit)
    }

    @Test("knows the attempts of a video, whichever meter makes them")
    func attempts() throws {
        let session = session()
        func play(_ videoId: VideoID, _ end: PlaybackInput) throws -> Int {
            var meter = PlaybackMeter(videoId: videoId, ids: NumberedIDs(), memory: { nil }) {
                PlaybackContext(session: session)
            }
            meter.handle(.play, at: PlaybackInstant(sinceOrigin: .zero))
            return try meter.close(with: end, at: PlaybackInstant(sinceOrigin: .seconds(1))).attempt
        }
        #expect(try play("v1", .failed) == 1)
        #expect(try play("v2", .failed) == 1)
        #expect(try play("v1", .failed) == 2)
        #expect(try play("v1", .stop) == 3)
        #expect(try play("v1", .stop) == 1)
        session.renew()
        #expect(try play("v2", .stop) == 1)
        for _ in 0..<120 { _ = try play("v3", .failed) }
        #expect(try play("v3", .failed) == 100)
        // More videos than a viewer sees in one session are not remembered.
        for number in 0..<1000 { _ = try play(VideoID("many-\(number)"), .failed) }
        #expect(try play("many-999", .stop) == 1)
        #expect(try play("v3", .stop) == 100)
    }
}
