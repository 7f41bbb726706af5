internal import Archive
internal import Platform
internal import PlayStore
internal import Reports

/// The parts that watch service levels and tell of them, with one lifetime.
final class Alerting: Sendable {
    let watch: LevelWatch
    let desk: AlertDesk
    /// Nil without a webhook.
    let sender: WebhookSender?
    private let hasBeenAtEnd = Monitor(false)

    /// - Parameters:
    ///   - levels: what the file holds.
    ///   - address: where the server listens.
    ///   - follower: how far the store has come.
    init(
        _ configuration: AlertConfiguration, _ file: LevelFile, levels: [ServiceLevel], paths: DataPaths,
        store: any StoreChoice, address: String, log: EventLog,
        follower: @escaping @Sendable () -> FollowerStatus, now: @escaping @Sendable () -> Int64
    ) {
        var told: (url: WebhookURL, carrier: any WebhookCarrier)?
        if let url = configuration.webhook, let carrier = configuration.carrier { told = (url, carrier) }
        desk = AlertDesk(AlertFile(paths), tells: told != nil, log: log)
        sender = told.map { [desk] in WebhookSender(configuration, to: $0.url, by: $0.carrier, desk: desk, log: log) }
        watch = LevelWatch(
            configuration, file: file, levels: levels, desk: desk, base: configuration.publicURL ?? "http://\(address)",
            log: log,
            store: { try store.reports(paths, patience: configuration.patience) },
            isBlind: { [hasBeenAtEnd] in
                let status = follower()
                // Before it has been at its end nobody knows for how long the store has lacked plays.
                if status.isAtEnd { hasBeenAtEnd.change { $0 = true } }
                return status.damage != nil || !hasBeenAtEnd.read { $0 }
                    || status.lagSeconds > configuration.longestLagSeconds
            }, now: now, onJudged: { [sender] in sender?.wake() })
    }

    func start() throws(ThreadError) {
        try watch.start()
        try sender?.start()
    }

    /// Reads the levels again.
    ///
    /// - Throws: what is wrong with the file; those in force then stay.
    func reload() throws(IngestServerError) { try watch.reload() }

    func requestStop() {
        watch.requestStop()
        sender?.requestStop()
    }

    func stop() {
        watch.stop()
        sender?.stop()
    }
}
