internal import Archive
internal import HTTPServing
internal import PlayFolding
internal import PlayStore
internal import Synchronization

/// What `/metrics` says: every figure of the running server, in Prometheus' text form.
struct MetricsPage: Sendable {
    let paths: DataPaths
    let access: SharedAccess
    let alerting: Alerting?
    let counters: IngestCounters
    let cmcd: CMCDCounters
    let http: @Sendable () -> HTTPServerCounters
    let commits: @Sendable () -> CommitterSnapshot
    let follower: @Sendable () -> FollowerStatus
    let housekeeper: @Sendable () -> HousekeepingCounters
    /// How the making of plays stands, and the bytes of reports that it has before it.
    let folder: @Sendable () -> (status: ReportFolder.Status, lagBytes: Int64)
    let budget: ByteBudget
    let lag: @Sendable () -> Int64
    let health: Health
    let version: String
    let droppedLogLines: @Sendable () -> Int
    /// The database's and its write-ahead log's bytes.
    let databaseBytes: @Sendable () -> (database: Int64, log: Int64)

    func text() -> String {
        var page = PrometheusText()
        page.gauge("qoe_build_info", "1; the program's version is its label.", label: "version", [(version, 1)])
        page.gauge(
            "qoe_ready", "1 when plays can be taken, as /readyz says it.", health.reasonsNotToBeReady().isEmpty ? 1 : 0)
        page.gauge("qoe_damage", "Damage of the data found since the start, as /readyz lists it.", health.damage.count)
        page.counter(
            "qoe_log_lines_dropped_total", "Lines of the log that nobody read in time.", droppedLogLines())
        page.gauge(
            "qoe_last_reload_good", "1 when keys and service levels could be read the last time that they were.",
            counters.isLastReloadGood.load(ordering: .relaxed) ? 1 : 0)
        requests(http(), &page)
        events(&page)
        keys(&page)
        reports(&page)
        plays(folder(), &page)
        archive(commits(), &page)
        store(follower(), &page)
        housekeeping(housekeeper(), &page)
        signals(&page)
        return page.text
    }

    private func requests(_ http: HTTPServerCounters, _ page: inout PrometheusText) {
        page.counter(
            "qoe_requests_total", "Answers by the class of their status.", label: "class",
            [
                ("2xx", http.responses2xx), ("3xx", http.responses3xx), ("4xx", http.responses4xx),
                ("5xx", http.responses5xx),
            ])
        page.counter(
            "qoe_requests_refused_total", "Batches answered 429 or 503, by reason.", label: "reason",
            counters.refusedByReason)
        page.counter(
            "qoe_request_faults_total", "Batches answered 400 or 413, by error.", label: "error", counters.faultsByCode)
        page.counter(
            "qoe_requests_unauthorized_total", "Requests turned away for their key, by reason.", label: "reason",
            counters.unauthorizedByReason)
        page.histogram(
            "qoe_request_seconds", "Time from a batch's or report's whole body to its answer.", counters.requestTimes)
        page.counter(
            "qoe_report_requests_total", "Reports over HTTP, by outcome.", label: "outcome", counters.reportsByOutcome)
        page.histogram("qoe_report_seconds", "Time in which a report over HTTP was made.", counters.timesOfReports)
        page.gauge("qoe_connections", "Connections open now.", http.connectionsOpen)
        page.counter("qoe_connections_total", "Connections that were served.", http.connections)
        page.counter(
            "qoe_connections_refused_total", "Connections closed with 503 at the limit.", http.connectionsRefused)
        page.counter(
            "qoe_accept_pauses_total", "Times that accepting paused for want of descriptors.", http.acceptPauses)
        page.counter("qoe_received_bytes_total", "Bytes received, heads included.", http.bytesReceived)
        page.gauge("qoe_in_flight_bytes", "Bytes of bodies and commits under way.", budget.used)
    }

    private func events(_ page: inout PrometheusText) {
        page.counter(
            "qoe_events_received_total", "Events judged: accepted and rejected.",
            counters.eventsReceived.load(ordering: .relaxed))
        page.counter(
            "qoe_events_accepted_total", "Events that are plays in the archive.",
            counters.eventsAccepted.load(ordering: .relaxed))
        page.counter("qoe_events_rejected_total", "Events rejected, by code.", label: "code", counters.rejectedByCode)
        page.counter(
            "qoe_events_erased_total", "Events of those who were erased, which are not kept.",
            counters.eventsErased.load(ordering: .relaxed))
        page.counter(
            "qoe_unknown_fields_total", "Fields of events that the contract does not know, dropped.",
            counters.unknownFields.load(ordering: .relaxed))
    }

    /// What comes with which key, and how new it is.
    private func keys(_ page: inout PrometheusText) {
        let names = access.writerNames
        page.counter(
            "qoe_key_events_total", "Events judged, by the name of their key.", label: "key",
            counters.eventsByKey(names))
        page.counter(
            "qoe_key_reports_total", "Reports of players, by the name of their key.", label: "key",
            cmcd.reportsByKey(names))
        let newest = counters.newestEvent.load(ordering: .relaxed)
        if newest > 0 {
            page.gauge(
                "qoe_newest_event_timestamp_seconds", "When the newest accepted event ended.", Double(newest) / 1_000)
        }
    }

    /// What players report by CMCD.
    private func reports(_ page: inout PrometheusText) {
        func value(_ counter: borrowing Atomic<Int>) -> Int { counter.load(ordering: .relaxed) }
        page.counter("qoe_cmcd_lines_total", "Lines of players' reports looked at.", value(cmcd.lines))
        page.counter("qoe_cmcd_reports_total", "Reports that are durable.", value(cmcd.reports))
        page.counter(
            "qoe_cmcd_ignored_keys_total", "Keys of reports that are unknown, or have a value of another kind.",
            value(cmcd.ignoredKeys))
        page.counter(
            "qoe_cmcd_ignored_parameters_total", "Parameters of addresses that are unknown or not good.",
            value(cmcd.ignoredParameters))
        page.counter(
            "qoe_cmcd_left_lines_total", "Lines left: of a later version of CMCD, or beyond those of a request.",
            label: "reason", [("version", value(cmcd.laterVersions)), ("count", value(cmcd.linesTooMany))])
        page.counter("qoe_cmcd_quarantined_total", "Lines that are no reports, set aside.", value(cmcd.quarantined))
        page.counter(
            "qoe_cmcd_erased_total", "Reports of sessions that were erased, not kept.", value(cmcd.erased))
        page.counter(
            "qoe_cmcd_quarantine_dropped_total", "Lines that are no reports, beyond their share of the quarantine.",
            value(cmcd.quarantineDropped))
    }

    private func plays(_ folder: (status: ReportFolder.Status, lagBytes: Int64), _ page: inout PrometheusText) {
        let counters = folder.status.counters
        page.gauge("qoe_cmcd_open_plays", "Plays of which more reports may come.", counters.open)
        page.gauge("qoe_cmcd_open_bytes", "Bytes that are held for them.", counters.bytes)
        page.counter(
            "qoe_cmcd_plays_closed_total", "Plays made of reports, by what closed them.", label: "cause",
            ClosedPlay.Cause.allCases.map { ($0.rawValue, folder.status.archived[$0, default: 0]) })
        page.counter(
            "qoe_cmcd_report_gaps_total",
            "Gaps in the numbers of their reports, each of one report or more that never came.", folder.status.gaps)
        page.counter(
            "qoe_cmcd_late_reports_total", "Reports dropped because their play was closed.", counters.droppedLate)
        page.counter(
            "qoe_cmcd_unreadable_lines_total", "Lines of the log of reports that are none.", folder.status.unreadable)
        page.gauge("qoe_cmcd_lag_bytes", "Bytes of reports that no play was made of yet.", Int(folder.lagBytes))
    }

    private func archive(_ commits: CommitterSnapshot, _ page: inout PrometheusText) {
        page.counter("qoe_commits_total", "Requests whose lines are durable.", Int(commits.commits))
        page.counter("qoe_commit_failures_total", "Requests refused by an error of the disk.", Int(commits.failures))
        page.gauge("qoe_last_commit_good", "1 when the last commit was durable.", commits.lastCommitGood ? 1 : 0)
        page.counter("qoe_line_bytes_total", "Bytes of lines archived, before compression.", Int(commits.lineBytes))
        page.counter("qoe_archived_bytes_total", "Bytes of the logs written.", Int(commits.archivedBytes))
        page.gauge("qoe_queue_bytes", "Bytes of lines that wait to be committed.", commits.queueBytes)
        page.histogram("qoe_group_bytes", "Bytes of lines in one group commit.", commits.groupBytes)
        page.histogram("qoe_group_commits", "Requests in one group commit.", commits.groupCommits)
        page.histogram("qoe_fsync_seconds", "Time of one sync of a file.", commits.syncSeconds)
        page.counter("qoe_quarantined_total", "Rejected events kept in the quarantine.", Int(commits.quarantineKept))
        page.counter(
            "qoe_quarantine_dropped_total", "Rejected events not kept because the quarantine is full.",
            Int(commits.quarantineDropped))
        page.gauge("qoe_quarantine_bytes", "Bytes of the quarantine's files.", Int(commits.quarantineBytes))
        page.gauge("qoe_cmcd_report_bytes", "Bytes of the files of players' reports.", Int(commits.reportBytes))
    }

    private func store(_ follower: FollowerStatus, _ page: inout PrometheusText) {
        let totals = follower.totals
        page.counter(
            "qoe_plays_loaded_total", "Plays that became a row, since the database was made.", Int(totals.loaded))
        page.counter("qoe_plays_duplicate_total", "Repeats of a play that was there.", Int(totals.duplicates))
        page.counter("qoe_plays_conflicting_total", "Repeats with other content.", Int(totals.conflicts))
        page.counter(
            "qoe_plays_erased_total", "Plays of which nothing is left but that they arrived.",
            Int(max(0, totals.erased)))
        page.counter(
            "qoe_lines_unloadable_total", "Lines of the archive that can't be loaded; they are in the quarantine.",
            Int(totals.unloadable))
        page.gauge("qoe_follower_lag_bytes", "Bytes of archive that the database lacks.", Int(lag()))
        page.gauge("qoe_follower_lag_seconds", "For how long the database has lacked any.", follower.lagSeconds)
        page.gauge("qoe_follower_failures", "Loads that failed since the last that did not.", follower.failures)
        let bytes = databaseBytes()
        page.gauge("qoe_database_bytes", "The database file.", Int(bytes.database))
        page.gauge("qoe_wal_bytes", "The database's write-ahead log.", Int(bytes.log))
        page.gauge(
            "qoe_database_free_bytes", "Room in the database file that new plays will use.", Int(follower.freeBytes))
        page.counter("qoe_plays_pruned_total", "Plays of old days that were removed.", Int(totals.pruned))
    }

    private func housekeeping(_ counters: HousekeepingCounters, _ page: inout PrometheusText) {
        page.counter("qoe_compacted_files_total", "Closed files of the logs that were compacted.", counters.compacted)
        page.counter(
            "qoe_compacted_saved_bytes_total", "Bytes that they have less since then.", Int(counters.savedBytes))
        page.counter("qoe_pruned_files_total", "Old files of the logs that were removed.", counters.prunedFiles)
        page.counter("qoe_pruned_bytes_total", "Bytes that they had.", Int(counters.prunedBytes))
    }
}

extension PrometheusText {
    mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
        var below: UInt64 = 0
        let buckets = zip(histogram.bounds, histogram.counts).map { bound, count in
            below += count
            return (bound: bound, count: Int(below))
        }
        self.histogram(name, help, buckets: buckets, sum: histogram.sum, count: Int(histogram.count))
    }
}
