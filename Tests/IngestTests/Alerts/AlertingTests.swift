import Foundation
import HTTPServing
import Ingest
import Synchronization
import TestSupport
import Testing

@Suite("A server with service levels")
struct AlertingTests {
    private let receiver: AlertReceiver
    private let clock = Clock()
    private let folder: TemporaryFolder

    init() throws {
        receiver = try AlertReceiver()
        folder = try TemporaryFolder()
    }

    /// A wall clock that the test moves.
    private final class Clock: Sendable {
        private let milliseconds = Atomic<Int64>(1_795_948_200_000)
        var now: Int64 { milliseconds.load(ordering: .relaxed) }
        func go(minutes: Int64) { milliseconds.add(minutes * 60_000, ordering: .relaxed) }
    }

    private func server(
        _ levels: String, everyMs: Int = 20, _ configure: (inout AlertConfiguration) -> Void = { _ in }
    ) throws -> RunningServer {
        try levels.write(toFile: folder.path("levels"), atomically: true, encoding: .utf8)
        return try RunningServer(now: { [clock] in clock.now }) { configuration, _ in
            configuration.dataDirectory = folder.path("data")
            configuration.alerts.levelFile = folder.path("levels")
            configuration.alerts.webhook = try receiver.url
            configuration.alerts.carrier = LoopbackCarrier()
            configuration.alerts.publicURL = "https://qoe.example.com"
            configuration.alerts.everyMs = everyMs
            configuration.alerts.firstRetryMs = 1
            configure(&configuration.alerts)
        }
    }

    /// Lets plays of a region come in that ended so long ago.
    private func post(_ plays: Int, _ region: String, minutesAgo: Int = 0, to server: RunningServer) throws {
        let name = region.replacing("\"", with: "\\\"")
        let more = #""cdnRegion":"\#(name)","ageMs":\#(minutesAgo * 60_000)"#
        let events = (0..<plays).map { _ in SampleBatch.event(SampleBatch.newId(), more) }
        let answer = try server.connect().post("/v1/playback-events", Array(SampleBatch.body(events).utf8))
        #expect(answer.status == 202)
        try server.server.waitForFollower()
    }

    private func metrics(_ server: RunningServer) throws -> String {
        try server.connectToAdmin().get("/metrics").text
    }

    /// Waits until levels were looked at again, whatever came of it.
    private func waitForLook(_ server: RunningServer) throws {
        func judged() throws -> String? {
            try metrics(server).split(separator: "\n").first { $0.hasPrefix("qoe_slo_judged_timestamp_seconds ") }
                .map(String.init)
        }
        clock.go(minutes: 1)
        let wanted = "qoe_slo_judged_timestamp_seconds \(Double(clock.now) / 1_000)"
        try waitUntil("a look at \(wanted)") { try judged() == wanted }
        // Of two looks the second began with all that had come before.
        clock.go(minutes: 1)
        let next = "qoe_slo_judged_timestamp_seconds \(Double(clock.now) / 1_000)"
        try waitUntil("a look at \(next)") { try judged() == next }
    }

    @Test("tells the webhook what fires and what is resolved, again and again until it is taken, with one key each")
    func delivers() throws {
        receiver.statuses.withLock { $0 = [503, 404, 500] }
        let server = try server("few: plays >= 3 by cdnRegion")
        try post(1, "eu, \"north\"", to: server)
        try waitUntil("the alert") { receiver.states.count == 4 }
        #expect(Set(receiver.messages.map(\.key)).count == 1 && Set(receiver.states) == ["firing"])
        let first = try #require(receiver.messages.first)
        #expect(first.level == "few" && first.group == ["cdn_region": "eu, \"north\""] && first.key.count == 64)
        #expect(first.body.contains(#""value":1,"low":1,"high":1,"plays":1"#), "\(first.body)")
        #expect(
            first.body.contains(
                #""url":"https://qoe.example.com/?from=2026-11-29T09%3A31Z&to=2026-11-29T10%3A31Z&by=cdnRegion"#
                    + #"&where=cdnRegion%3D%22eu%2C%20%22%22north%22%22%22"}"#), "\(first.body)")
        #expect(try metrics(server).contains("\nqoe_slo_state{level=\"few\"} 2\n"))
        #expect(try metrics(server).contains("\nqoe_slo_firing{level=\"few\"} 1\n"))

        try post(2, "eu, \"north\"", to: server)
        try waitUntil("its end") { receiver.states.last == "resolved" }
        #expect(receiver.states.count == 5 && receiver.messages.last?.key == first.key)
        try waitUntil("an empty queue") { try metrics(server).contains("\nqoe_webhook_waiting 0\n") }
        let page = try metrics(server)
        for line in [
            "qoe_slo_state{level=\"few\"} 0", "qoe_slo_firing{level=\"few\"} 0",
            "qoe_webhook_posts_total{outcome=\"delivered\"} 2",
            "qoe_webhook_posts_total{outcome=\"failed\"} 3",
        ] { #expect(page.contains("\n\(line)\n"), "no \(line)") }
        for event in ["alert firing", "alert resolved", "webhook fails", "webhook works again"] {
            #expect(server.log.text.contains(#""event":"\#(event)""#))
        }
        #expect(!server.log.text.contains("secret") && !server.log.text.contains("north"))
    }

    @Test("judges every other level where one has more groups than it may, and says which that was")
    func tooManyGroups() throws {
        let server = try server("regions: plays >= 1 by cdnRegion\nfew: plays >= 100") { $0.mostGroups = 2 }
        for region in ["eu", "us", "ap"] { try post(1, region, to: server) }
        try waitUntil("the alert") { receiver.states == ["firing"] }
        #expect(receiver.messages.first?.level == "few")
        let page = try metrics(server)
        #expect(page.contains("\nqoe_slo_state{level=\"few\"} 2\n"))
        // When levels were last judged is when all of them were.
        try waitUntil("the reason") {
            server.log.text.contains(#""event":"levels not judged""#)
                && server.log.text.contains(#""reason":"regions: "#)
        }
    }

    @Test("counts a broken group for those that alert by metrics though the level's state is that of one without plays")
    func broken() throws {
        let server = try server("few: plays >= 3 by cdnRegion over 1h")
        try post(5, "us", to: server)
        clock.go(minutes: 120)
        try post(1, "eu", to: server)
        try waitUntil("the alert") { receiver.states == ["firing"] }
        let page = try metrics(server)
        #expect(page.contains("\nqoe_slo_state{level=\"few\"} 3\n"))
        #expect(page.contains("\nqoe_slo_firing{level=\"few\"} 1\n"))
    }

    @Test("starts with no level that goes by hour: each hour would be an alert of its own")
    func hours() {
        #expect(throws: IngestServerError.self) { _ = try server("plays >= 1 by hour") }
    }

    @Test("keeps states and messages over a restart: what fires is told once, what waits is told then")
    func restart() throws {
        receiver.statuses.withLock { $0 = Array(repeating: 503, count: 1_000_000) }
        do {
            let server = try server("plays >= 3 by cdnRegion")
            try post(1, "eu", to: server)
            try waitUntil("an attempt") { !receiver.messages.isEmpty }
            #expect(server.server.stop())
        }
        let key = try #require(receiver.messages.first).key
        let before = receiver.messages.count
        receiver.statuses.withLock { $0 = [] }
        let server = try server("plays >= 3 by cdnRegion")
        try waitUntil("the message") { receiver.messages.count == before + 1 }
        try waitForLook(server)
        try waitForLook(server)
        #expect(receiver.messages.count == before + 1 && receiver.messages.last?.key == key)
        try post(5, "eu", to: server)
        try waitUntil("its end") { receiver.states.last == "resolved" }
        #expect(receiver.messages.last?.key == key && receiver.messages.count == before + 2)
    }

    @Test("does not fire again for plays that come late into the window in which it was resolved")
    func late() throws {
        let server = try server("many: plays < 3 by cdnRegion over 1h")
        try post(3, "eu", to: server)
        try waitUntil("the alert") { receiver.states == ["firing"] }
        clock.go(minutes: 61)
        try post(1, "eu", to: server)
        try waitUntil("its end") { receiver.states == ["firing", "resolved"] }
        clock.go(minutes: 5)
        try post(4, "eu", minutesAgo: 20, to: server)
        try waitForLook(server)
        #expect(try metrics(server).contains("\nqoe_slo_state{level=\"many\"} 2\n"))
        try waitForLook(server)
        #expect(receiver.states == ["firing", "resolved"])
        try post(3, "eu", to: server)
        try waitUntil("another alert") { receiver.states == ["firing", "resolved", "firing"] }
    }

    @Test("fires after as long as a level says, and not for a group that would have had few plays anyway")
    func patience() throws {
        let server = try server("plays >= 3 by cdnRegion over 1h for 10m")
        try post(1, "eu", to: server)
        try waitForLook(server)
        for _ in 0..<3 { try waitForLook(server) }
        #expect(receiver.states == [])
        clock.go(minutes: 4)
        try waitUntil("the alert") { receiver.states == ["firing"] }
        // Without a play the group is not judged: it goes on firing until it has some, or has had none for days.
        clock.go(minutes: 120)
        try waitForLook(server)
        #expect(try metrics(server).contains("\nqoe_slo_state{level=\"level-1\"} 3\n"))
        #expect(receiver.states == ["firing"])
        clock.go(minutes: 9 * 24 * 60)
        try waitUntil("its end") { receiver.states == ["firing", "resolved"] }
    }

    @Test("misses a group without plays where the days before let many expect")
    func missed() throws {
        let server = try server("plays >= 0 by cdnRegion over 1d")
        for _ in 0..<8 {
            try post(50, "eu", to: server)
            clock.go(minutes: 24 * 60)
        }
        try post(1, "us", to: server)
        clock.go(minutes: 60)
        try waitUntil("the alert") { receiver.messages.map(\.group) == [["cdn_region": "eu"]] }
        #expect(receiver.states == ["firing"])
        #expect(try #require(receiver.messages.first).body.contains(#""value":null"#))
    }

    @Test(
        "reads its levels again on a reload, resolves what has left them, and keeps those in force when they are wrong")
    func reload() throws {
        let server = try server("a: plays >= 3\nb: plays >= 4")
        try waitUntil("two alerts") { receiver.states.count == 2 }
        try "b: plays >= 4\nc: started >= 1".write(toFile: folder.path("levels"), atomically: true, encoding: .utf8)
        server.server.reload()
        try waitUntil("one resolved, one more") { receiver.messages.count == 4 }
        let told = receiver.messages.suffix(2).map { "\($0.level) \($0.state)" }
        #expect(Set(told) == ["a resolved", "c firing"])
        #expect(try metrics(server).contains("\nqoe_last_reload_good 1\n"))
        try "b: players >= 4".write(toFile: folder.path("levels"), atomically: true, encoding: .utf8)
        server.server.reload()
        #expect(server.log.text.contains("levels not reloaded") && server.log.text.contains("no column 'players'"))
        let page = try metrics(server)
        #expect(page.contains("\nqoe_last_reload_good 0\n") && page.contains("\nqoe_slo_state{level=\"c\"} 2\n"))
        #expect(!page.contains("level=\"a\""))
    }

    @Test("begins anew, and says so, where the file of alerts can't be understood")
    func unreadable() throws {
        try FileManager.default.createDirectory(atPath: folder.path("data"), withIntermediateDirectories: true)
        try "{".write(toFile: folder.path("data/alerts.json"), atomically: true, encoding: .utf8)
        let server = try server("plays >= 3")
        try waitUntil("the alert") { receiver.states == ["firing"] }
        #expect(server.log.text.contains("alerts not kept"))
        #expect(FileManager.default.fileExists(atPath: folder.path("data/alerts.json.unreadable")))
    }

    @Test("does not start with a file of levels that is none, and says which line is wrong")
    func wrongFile() throws {
        for (text, words) in [("plays >= 3\nplays", "line 2"), ("# nothing\n", "it holds no service level")] {
            let fault = #expect(throws: IngestServerError.self) { try server(text) }
            #expect(fault?.description.contains(words) == true, "\(fault.map { "\($0)" } ?? "")")
        }
    }
}

/// What a webhook leads to: answers as it is told, and keeps what came.
private final class AlertReceiver: HTTPHandler {
    struct Message: Sendable, Equatable {
        var key: String
        var state: String
        var level: String
        var group: [String: String]
        var body: String
    }

    private let received = Mutex<[Message]>([])
    /// The statuses of the next answers; then 200.
    let statuses: Mutex<[Int]>
    private let server = Mutex<HTTPServer?>(nil)

    init(_ statuses: [Int] = []) throws {
        self.statuses = Mutex(statuses)
        let listening = try HTTPServer(address: "127.0.0.1", port: 0, handler: self)
        try listening.start()
        server.withLock { $0 = listening }
    }

    /// Takes no more; without it the listener lives on.
    func stop() {
        _ = server.withLock { server in
            defer { server = nil }
            return server
        }?.stop()
    }

    var url: WebhookURL {
        get throws {
            let port = server.withLock { $0?.port ?? 1 }
            guard let url = WebhookURL("http://127.0.0.1:\(port)/alerts?token=secret") else {
                throw CancellationError()
            }
            return url
        }
    }

    /// Those that were answered, whatever the status.
    var messages: [Message] { received.withLock { $0 } }

    /// Their states, in order.
    var states: [String] { messages.map(\.state) }

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        .take(
            HTTPAdmitted(bodyLimit: 1 << 20) { [self] request, _ in
                let json = try? JSONSerialization.jsonObject(with: Data(request.body))
                let object = json as? [String: Any] ?? [:]
                received.withLock { received in
                    received.append(
                        Message(
                            key: object["key"] as? String ?? "", state: object["state"] as? String ?? "",
                            level: object["level"] as? String ?? "", group: object["group"] as? [String: String] ?? [:],
                            body: String(decoding: request.body, as: UTF8.self)))
                }
                let status = statuses.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
                return HTTPResponse(status: head.target == "/alerts?token=secret" ? status : 404, body: [])
            })
    }

    func response(to fault: HTTPError, head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(status: fault.status, body: [])
    }
}

/// Carries alerts over a plain connection of this machine.
private struct LoopbackCarrier: WebhookCarrier {
    func post(_ body: String, to url: WebhookURL, patience: Double) throws(WebhookError) -> Int {
        do {
            let connection = try LoopbackConnection(port: Int(url.port), timeout: Int(patience))
            return try connection.post(url.target, Array(body.utf8)).status
        } catch {
            throw WebhookError("\(error)")
        }
    }

    func end() {}
}
