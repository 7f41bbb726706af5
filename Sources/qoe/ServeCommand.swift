internal import Archive
internal import CBuild
internal import ClickHouse
internal import CommandLineTool
import Foundation
internal import HTTPServing
internal import Ingest
internal import Platform

/// `qoe serve`: the endpoint.
enum ServeCommand {
    static let command = Command(
        "serve", summary: "takes batches of plays in over HTTP, archives them and loads them",
        options: [
            CommonOptions.data, CommonOptions.store,
            Option(
                "listen", "ADDRESS:PORT", environment: "QOE_LISTEN", initial: "127.0.0.1:8080",
                help:
                    "Where plays are taken in and reports are read. Port 0 takes a free one; without an address it is 127.0.0.1, every address is 0.0.0.0 or [::]."
            ),
            Option(
                "admin-listen", "ADDRESS:PORT", environment: "QOE_ADMIN_LISTEN", initial: "127.0.0.1:9090",
                help: "Where /healthz, /readyz and /metrics answer, without a key: keep it off the public network."),
            Option(
                "write-keys", "FILE", environment: "QOE_WRITE_KEYS",
                help: "Keys that players send with their batches, a line NAME KEY each. Read again on SIGHUP."),
            Option(
                "read-keys", "FILE", environment: "QOE_READ_KEYS",
                help: "Keys that readers of reports send, a line NAME KEY each. Read again on SIGHUP."),
            Option(
                "allow-anonymous", environment: "QOE_ALLOW_ANONYMOUS",
                help: "Lets everybody do what has no keys, on any address. Without it that is so on loopback only."),
            Option(
                "cors-origin", "ORIGIN", environment: "QOE_CORS_ORIGIN", repeats: true,
                help: "A web page's origin that may post from a browser; * for all. Without one no CORS header is sent."
            ),
            Option(
                "region-header", "NAME", environment: "QOE_REGION_HEADER", repeats: true,
                help: "A header in which the edge names the region of a play that does not say it. Only believed from "
                    + "a trusted proxy."),
            Option(
                "trusted-proxy", "CIDR", environment: "QOE_TRUSTED_PROXY", repeats: true,
                help: "Addresses from which region headers are believed and any number of connections taken, such as "
                    + "10.0.0.0/8 or ::1."),
            Option(
                "rate-per-key", "EVENTS_PER_SECOND", environment: "QOE_RATE_PER_KEY",
                help:
                    "What one write key may send, bodies that fail too, with bursts of ten seconds' worth; above it 429."
            ),
            Option(
                "max-connections", "N", environment: "QOE_MAX_CONNECTIONS",
                help: "Connections at a time, 1 to 512. Without it as many as the limit of open files allows."),
            Option(
                "max-lag-bytes", "N", environment: "QOE_MAX_LAG_BYTES", initial: "4294967296",
                help: "How far the database may lie behind the archive before batches are answered 503."),
            Option(
                "keep-days", "N", environment: "QOE_KEEP_DAYS",
                help:
                    "How many whole UTC days of plays before today stay in the database, 1 to 36500; older ones are removed once a day, beside ingest. Without it all stay."
            ),
            Option(
                "keep-archive-days", "M", environment: "QOE_KEEP_ARCHIVE_DAYS",
                help:
                    "How many whole UTC days of receipt before today stay in archive and quarantine, 1 to 36500, and of players' reports, 7 at most. Without it all stay. A file that the database has not read stays."
            ),
            Option(
                "no-cmcd", environment: "QOE_NO_CMCD",
                help: "Answers players that report in CMCD's event mode with 410, which ends their reports."),
            CommonOptions.errorClasses,
            Option(
                "slo", "FILE", environment: "QOE_SLO",
                help:
                    "Service levels, one a line as in qoe check, that are judged once a minute. Read again on SIGHUP."),
            Option(
                "webhook", "URL", environment: "QOE_WEBHOOK",
                help: "Gets a POST with JSON when a level has been broken for long enough, and when it no longer is: "
                    + "https://host/path."),
            Option(
                "public-url", "URL", environment: "QOE_PUBLIC_URL",
                help: "Where readers find this server's reports, for the links in alerts, such as "
                    + "https://qoe.example.com. Without it the address of --listen."),
            CommonOptions.node,
        ],
        notes: """
            The first two lines on standard output say where it listens; the log goes to standard error, one JSON
            object a line. SIGTERM and SIGINT stop it within ten seconds: what has arrived is answered, and the exit
            code is 0, or 74 when the disk did not let it finish; a second one ends it at once. When the disk leaves the
            archive in a state that only a new start can mend, the server stops by itself, with 74. SIGHUP reads the files of
            keys and service levels again. Closed files of the archive are compacted beside ingest: the same lines under the
            same name, in less room. On the admin address /healthz answers while the process lives, /readyz 200 while plays can be
            taken (a durable write succeeds, the database is not too far behind, no stop is under way), and /metrics
            what Prometheus reads. qoe sample-config prints files for systemd, nginx and Prometheus.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        try Signals.take()
        let configuration = try configuration(from: arguments)
        let lines = LogQueue(now: WallClock.now, write: StandardError.write)
        defer { lines.flush(patienceMs: 500) }
        let server = try CommandFailure.translated {
            try withPatience {
                try IngestServer(
                    configuration, now: WallClock.now, log: lines.add, droppedLogLines: { lines.dropped },
                    onFatal: Signals.stopThisProcess)
            }
        }
        Signals.beginServing()
        let greeting = "listening on http://\(server.address)\nadmin on http://\(server.adminAddress)\n"
        // A server whose standard output is closed, or which nobody reads, still serves.
        try? SystemThread.detach(name: "greeting") { try? StandardOutput.write(greeting) }
        return Signals.waitForStop(
            onHangup: { server.reload() },
            onLateness: {
                defer { lines.flush(patienceMs: 50) }
                return server.noteLateness() ? .success : .inputOutput
            },
            stop: { server.stop() ? ExitCode.success : .inputOutput })
    }

    /// How long the process that has the data directory may take to let go of it: one that ends, or a command.
    private static let lockPatience = Duration.seconds(2)

    private static func withPatience(_ start: () throws -> IngestServer) throws -> IngestServer {
        let end = ContinuousClock.now + lockPatience
        while true {
            do {
                return try start()
            } catch DataDirectoryError.busy where .now < end {
                usleep(50_000)
            }
        }
    }

    private static func configuration(from arguments: Arguments) throws(CommandError) -> IngestConfiguration {
        var configuration = IngestConfiguration(dataDirectory: CommonOptions.data(arguments).root)
        configuration.listen = try endpoint("listen", arguments)
        configuration.adminListen = try endpoint("admin-listen", arguments)
        configuration.writeKeyFile = arguments.text("write-keys")
        configuration.readKeyFile = arguments.text("read-keys")
        configuration.allowsAnonymous = arguments.flag("allow-anonymous")
        for text in arguments.all("cors-origin") where !CORSPolicy.isOrigin(text) {
            throw arguments.fault(
                "cors-origin", value: text, "should be like https://player.example, without a path, or *")
        }
        configuration.corsOrigins = arguments.all("cors-origin")
        for text in arguments.all("region-header") where !HTTPFields.isName(text) {
            throw arguments.fault("region-header", value: text, "should be the name of a header, such as X-Edge-Region")
        }
        configuration.regionHeaders = arguments.all("region-header")
        for text in arguments.all("trusted-proxy") {
            guard let range = IPAddressRange(text) else {
                throw arguments.fault(
                    "trusted-proxy", value: text, "should be an address or a range like 10.0.0.0/8 or fd00::/8")
            }
            configuration.trustedProxies.append(range)
        }
        if !configuration.regionHeaders.isEmpty, configuration.trustedProxies.isEmpty {
            throw CommandError(.usage, "--region-header is only believed from a --trusted-proxy, and there is none")
        }
        configuration.eventsPerSecondPerKey = try arguments.int("rate-per-key", in: 1...1_000_000_000)
        configuration.maximumConnections = try arguments.int("max-connections", in: 1...512)
        configuration.maximumLagBytes = try arguments.int("max-lag-bytes", in: 1_048_576...Int.max) ?? 0
        configuration.housekeeping.keepDays = try arguments.int("keep-days", in: 1...36_500)
        configuration.housekeeping.keepArchiveDays = try arguments.int("keep-archive-days", in: 1...36_500)
        configuration.takesCMCD = !arguments.flag("no-cmcd")
        configuration.errorClasses = try CommonOptions.errorClasses(
            arguments, missing: .configuration, wrong: .configuration)
        configuration.alerts = try alerts(arguments)
        configuration.node = try CommonOptions.node(arguments)
        configuration.store = try CommonOptions.store(arguments)
        configuration.version = ProgramVersion.text
        return configuration
    }

    private static func alerts(_ arguments: Arguments) throws(CommandError) -> AlertConfiguration {
        var alerts = AlertConfiguration()
        alerts.levelFile = arguments.text("slo")
        if let text = arguments.text("webhook") {
            guard let url = WebhookURL(text) else {
                // Its text may hold a secret.
                throw arguments.fault("webhook", said: "the URL should be http:// or https://, a host, and a path")
            }
            // The system's client can't compare such an address with a certificate's.
            guard !url.usesTLS || !url.host.hasPrefix("[") else {
                throw arguments.fault(
                    "webhook", said: "with https an IPv6 address needs a name, as /etc/hosts can give it one")
            }
            guard alerts.levelFile != nil else {
                throw CommandError(.usage, "--webhook is told of broken service levels: name a file of them with --slo")
            }
            (alerts.webhook, alerts.carrier) = (url, URLSessionCarrier())
        }
        if var url = arguments.text("public-url") {
            guard url.hasPrefix("http://") || url.hasPrefix("https://"), !url.contains(where: { "?# ".contains($0) })
            else {
                throw arguments.fault("public-url", "should be like https://qoe.example.com, without ? and #")
            }
            while url.hasSuffix("/") { url.removeLast() }
            alerts.publicURL = url
        }
        return alerts
    }

    private static func endpoint(_ name: String, _ arguments: Arguments) throws(CommandError) -> ListenAddress {
        guard let endpoint = ListenAddress(arguments.text(name) ?? "") else {
            throw arguments.fault(name, "should be ADDRESS:PORT, such as 127.0.0.1:8080, [::1]:8080 or :8080")
        }
        return endpoint
    }
}

/// Carries alerts with the system's HTTP client, as the ClickHouse store does its requests.
struct URLSessionCarrier: WebhookCarrier {
    private let exchange = URLSessionExchange()

    func post(_ body: String, to url: WebhookURL, patience: Double) throws(WebhookError) -> Int {
        var request = HTTPExchangeRequest(
            host: .init(url.host, port: url.port), usesTLS: url.usesTLS, items: [],
            fields: ["Content-Type": "application/json", "User-Agent": "qoe/\(ProgramVersion.text)"],
            body: Data(body.utf8), patience: patience)
        request.target = url.target
        do throws(HTTPExchangeError) {
            return try exchange.response(to: request).status
        } catch {
            throw WebhookError(error.reason)
        }
    }

    func end() { exchange.end(inSeconds: 0) }
}

/// The version of the program.
enum ProgramVersion {
    static let text = "0.1.0"

    /// With the commit that it was built from, where `make` has built it.
    static var full: String {
        let commit = String(cString: qoe_build_commit())
        return commit.isEmpty ? text : "\(text) (commit \(commit))"
    }
}
