import Testing

/// Neither Shaka Player nor dash.js is in a package: `engines.js` has what their documentation says of them.
@Suite("The script for web pages, with Shaka Player and dash.js as they are documented,", .tools)
struct EngineTests {
    private struct Course: Decodable {
        struct Play: Decodable {
            var player: String?
            var startupMs: Int?
            var watchedMs: Int
            var avgBitrate: Int?
            var error: Failure?
        }

        struct Failure: Decodable, Equatable {
            var domain: String
            var code: Int
        }

        var plays: [Play]
        var warnings: [String]
        /// What the script asked for that is not documented.
        var unknown: [String]
    }

    /// A course with an engine, which is `engine` in the steps.
    private static func course(_ name: String, _ engine: String, _ steps: String) throws -> Course {
        let job = """
            const engine = documented(new \(engine)());
            return withEngine("\(name)", engine, [\(steps)]);
            """
        let course = try #require(try ScriptTests.run([job], as: Course.self).first)
        #expect(course.warnings == [] && course.unknown == [])
        return course
    }

    @Test("takes what Shaka Player streams for what plays once the picture comes to it")
    func shakaBitrates() throws {
        let course = try Self.course(
            "shaka", "ShakaPlayer",
            """
            [0, "play"], [500, at(0, 4), "playing"], [1500, at(1, 4), () => engine.choose(1), "timeupdate"],
            [3000, at(2.5, 8), "timeupdate"], [4500, at(4, 8), "timeupdate"], [6500, at(6, 8), "ended"]
            """)
        let play = try #require(course.plays.first)
        #expect(course.plays.count == 1 && play.player == "shaka 5.0.4" && play.startupMs == 500)
        // Four seconds of one, two of the other.
        #expect(play.watchedMs == 6_000 && play.avgBitrate == 1_666_667)
    }

    @Test("follows a buffer that is cleared for a switch, and a seek to where nothing is buffered")
    func clearedBuffer() throws {
        let cleared = try Self.course(
            "cleared", "ShakaPlayer",
            """
            [0, at(0, 20), "play", "playing"], [1000, at(1, 20), () => engine.choose(1), "timeupdate"],
            [2000, at(2, 2), "timeupdate"], [4000, at(4, 8), "ended"]
            """)
        #expect(cleared.plays.first?.avgBitrate == 2_000_000)
        let sought = try Self.course(
            "sought", "ShakaPlayer",
            """
            [0, at(0, 20), "play", "playing"], [1000, at(1, 20), () => engine.choose(1), "timeupdate"],
            [2000, at(40, 20), "seeking"], [2000, at(40, 44), "seeked", "playing"], [4000, at(42, 44), "ended"]
            """)
        #expect(sought.plays.first?.avgBitrate == 2_000_000)
    }

    @Test("adds dash.js' picture and sound, at the moment that it tells of", arguments: ["DashPlayer4", "DashPlayer5"])
    func dashBitrates(engine: String) throws {
        let first = engine == "DashPlayer4" ? 1 : 0
        let course = try Self.course(
            engine, engine,
            """
            [0, "play"], [300, () => { engine.ready = true; }, "timeupdate"],
            [500, at(0, 8), () => { engine.hasStream = true; engine.load(\(first)); }, "playing"],
            [1000, at(0.5, 8), () => engine.show(\(first)), "timeupdate"],
            [1500, at(1, 8), () => engine.load(3), "timeupdate"],
            [3500, at(3, 8), () => engine.show(3), "timeupdate"], [6500, at(6, 10), "ended"]
            """)
        let play = try #require(course.plays.first)
        let version = engine == "DashPlayer4" ? "4.7.4" : "5.0.3"
        #expect(course.plays.count == 1 && play.player == "dash.js \(version)" && play.startupMs == 500)
        #expect(play.watchedMs == 6_000 && play.avgBitrate == 2_064_000)
    }

    @Test("fails a play with Shaka Player's critical errors alone, and with those of dash.js that end it")
    func failures() throws {
        let shaka = try Self.course(
            "shaka-fails", "ShakaPlayer",
            """
            [0, "play"], [500, () => engine.fail(1, 1001)], [900, () => engine.fail(2, 1001)]
            """)
        #expect(shaka.plays.map(\.error) == [.init(domain: "shaka", code: 1_001)])
        for engine in ["DashPlayer4", "DashPlayer5"] {
            let dash = try Self.course(
                "\(engine)-fails", engine,
                """
                [0, "play"], [100, () => engine.fail(33)], [200, () => engine.fail(29)], [900, () => engine.fail(25)]
                """)
            #expect(dash.plays.map(\.error) == [.init(domain: "dash.js", code: 25)])
            // A segment that doesn't load: what is buffered plays to its end.
            let late = try Self.course(
                "\(engine)-late", engine,
                """
                [0, at(0, 4), "play", "playing"], [1000, at(1, 4), () => engine.fail(27)], [4000, at(4, 4), "waiting"]
                """)
            #expect(late.plays.map(\.error) == [.init(domain: "dash.js", code: 27)])
            #expect(late.plays.map(\.watchedMs) == [4_000])
        }
    }
}
