internal import Archive
internal import Foundation
internal import HTTPServing
internal import PlayStore
internal import Synchronization

/// Why a server does not start.
package enum IngestServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A key file that can't be read or is wrong: which, and why.
    case keys(file: String, reason: String)
    /// A file of service levels that can't be read or is wrong: which, and why.
    case levels(file: String, reason: String)
    /// An address that can't be listened on, because somebody else does or for another reason.
    case listening(String, isInUse: Bool)
    /// Neither keys nor the leave to go without, on an address that others reach.
    case unguarded(ListenAddress)

    package var description: String {
        switch self {
        case .keys(let file, let reason): "the key file \(file): \(reason)"
        case .levels(let file, let reason): "the service levels in \(file): \(reason)"
        case .listening(let reason, isInUse: _): reason
        case .unguarded(let listen):
            "there are no write keys, and \(listen.address.isLoopback ? "there are read keys" : "\(listen) is not loopback"):"
                + " set --write-keys, or --allow-anonymous to let everybody write"
        }
    }
}

/// The ingest server: takes batches in, makes them durable, loads them, tells how it is.
package final class IngestServer: Sendable {
    private let configuration: IngestConfiguration
    private let log: EventLog
    private let keeper: DataKeeper
    private let access: SharedAccess
    private let health: Health
    private let server: HTTPServer
    private let admin: HTTPServer
    private let earlierReports: EarlierBadReports
    private let counters: IngestCounters
    /// Nil where no service levels are watched.
    private let alerting: Alerting?
    private let eraser: EraseWatch
    /// Everybody has an answer, and the archive is closed in good order: only the database is left.
    private let isArchiveClosed = Atomic(false)

    /// Opens the data directory, recovers it, and begins to listen.
    ///
    /// - Parameters:
    ///   - now: the wall clock, ms since 1970.
    ///   - log: takes one line of the log, and must not block.
    ///   - droppedLogLines: how many of them came to nothing.
    ///   - onFatal: called once when the archive can't be written any more by this process, so that only a new one can go
    ///     on; it has to end this one and must not block.
    /// - Throws: ``IngestServerError``, ``DataDirectoryError``, ``SQLiteStoreError``, or what the system said.
    package init(
        _ configuration: IngestConfiguration, now: @escaping @Sendable () -> Int64,
        log write: @escaping @Sendable (String) -> Void, droppedLogLines: @escaping @Sendable () -> Int = { 0 },
        onFatal: @escaping @Sendable () -> Void = {}
    ) throws {
        self.configuration = configuration
        let log = EventLog(now: now, write: write)
        self.log = log
        let counters = IngestCounters()
        self.counters = counters
        let access = SharedAccess(try Self.rules(configuration), counters: counters)
        self.access = access

        // Before the directory is opened, as the keys are.
        let levelFile = configuration.alerts.levelFile.map { LevelFile(path: $0) }
        let levels = try levelFile?.read() ?? []

        let damage = DamageList()
        var committing = CommitterConfiguration()
        committing.node = configuration.node
        committing.queueBytes = configuration.bytesInFlight
        committing.onNotice = { notice in
            damage.note(notice)
            log.note(notice)
            if case .fatal = notice { onFatal() }
        }
        var following = FollowerConfiguration()
        following.lookMs = configuration.databaseLookMs
        following.onNotice = { notice in
            damage.note(notice)
            log.note(notice)
        }
        var folding = configuration.folding
        folding.onNotice = { notice in
            damage.note(notice)
            log.note(notice)
        }
        var housekeeping = configuration.housekeeping
        housekeeping.onNotice = { log.note($0) }
        let keeper = try DataKeeper(
            configuration.dataDirectory, store: configuration.store, committing: committing, following: following,
            folding: folding, housekeeping: housekeeping, erasesLater: true, now: now)
        self.keeper = keeper
        damage.note(damagedFiles: try keeper.paths.damagedFiles())
        let missing = try Inventory(keeper.paths).findings
        damage.note(missing)
        for finding in missing { log(.error, "archive incomplete", ["reason": finding.description]) }

        let isLagging: @Sendable () -> Bool = { keeper.lagBytes > configuration.maximumLagBytes }
        let probe = WriteProbe(keeper.paths)
        health = Health(
            probe: DiskProbe {
                do throws(FileError) {
                    try keeper.check()
                    try probe.run()
                } catch {
                    return error.description
                }
                return nil
            },
            commits: { keeper.committer.snapshot() }, isLagging: isLagging, damage: damage,
            storeFault: { [isShared = configuration.store.isShared] in
                let status = keeper.follower.status
                if let damage = status.damage { return "the database is damaged: \(damage)" }
                if isShared, status.isFaultLasting, let fault = status.fault {
                    return "the store takes no plays: \(fault)"
                }
                return keeper.folder.status.fault.map { "no plays are made of players' reports: \($0)" }
            })

        let budget = ByteBudget(limit: configuration.bytesInFlight)
        let failures = FailureLog(log: log, damage: damage)
        let refusals = RequestRefusals(counters: counters, failures: failures)
        let gate = JudgingGate(slots: max(8, 2 * ProcessInfo.processInfo.activeProcessorCount))
        let limiter = configuration.eventsPerSecondPerKey.map { RateLimiter(eventsPerSecond: $0) }
        let events = EventsRoute(
            access: access,
            regionHeaders: RegionHeaders(names: configuration.regionHeaders, proxies: configuration.trustedProxies),
            limiter: limiter, gate: gate, committer: keeper.committer, erased: keeper.erased, counters: counters,
            isLagging: isLagging,
            refusals: refusals, version: configuration.version, now: now)
        let cmcd = CMCDCounters()
        let share = QuarantineShare(limit: configuration.badReportBytes)
        let players = CMCDRoute(
            isOn: configuration.takesCMCD, access: access, limiter: limiter, gate: gate, committer: keeper.committer,
            erased: keeper.erased, counters: cmcd, share: share, isLagging: isLagging, refusals: refusals, now: now)
        let reports = ReportsRoute(
            access: access, data: keeper.paths, store: configuration.store, classes: configuration.errorClasses,
            version: {
                let status = keeper.follower.status
                return "\(status.positions) \(status.totals) \(status.damage ?? "")"
            },
            damage: { keeper.follower.status.damage }, failures: failures, now: now)
        server = try Self.server(
            at: configuration.listen, limit: configuration.maximumConnections, budget: budget,
            isTrusted: { [proxies = configuration.trustedProxies] peer in
                peer.isLoopback || proxies.contains { $0.contains(peer) }
            }, log,
            handler: PublicHandler(
                events: events, players: players, reports: reports, refusals: refusals, counters: counters,
                cors: CORSPolicy(origins: configuration.corsOrigins)))
        let position = ListenAddress(address: configuration.listen.address, port: server.port)
        alerting = levelFile.map { file in
            Alerting(
                configuration.alerts, file, levels: levels, paths: keeper.paths, store: configuration.store,
                address: "\(position)", log: log, follower: { keeper.follower.status }, now: now)
        }
        let page = MetricsPage(
            paths: keeper.paths, access: access, alerting: alerting, counters: counters, cmcd: cmcd,
            http: { [server] in server.snapshot },
            commits: { keeper.committer.snapshot() },
            follower: { keeper.follower.status }, housekeeper: { keeper.housekeeper.counters },
            folder: { (keeper.folder.status, keeper.folder.lagBytes) },
            budget: budget, lag: { keeper.lagBytes },
            health: health, version: configuration.version, droppedLogLines: droppedLogLines,
            databaseBytes: { [database = configuration.store.database(keeper.paths)] in
                (Self.size(of: database), Self.size(of: database + "-wal"))
            })
        admin = try Self.server(
            at: configuration.adminListen, limit: 16, budget: ByteBudget(limit: 1 << 20), isTrusted: { _ in true },
            stopGrace: .zero, log,
            handler: AdminHandler(health: health, metrics: { page.text() }))
        earlierReports = try keeper.countBadReports(share)
        eraser = EraseWatch(keeper, log: log)
        try keeper.start()
        try eraser.start()
        try server.start()
        try admin.start()
        try alerting?.start()
        log(.info, "listening", ["address": address, "admin": adminAddress, "version": configuration.version])
    }

    /// Where it listens, with the port that it got.
    package var address: String {
        ListenAddress(address: configuration.listen.address, port: server.port).description
    }

    package var adminAddress: String {
        ListenAddress(address: configuration.adminListen.address, port: admin.port).description
    }

    /// Reads the key files and the service levels again; when one is wrong, what is in force stays.
    package func reload() {
        var isGood = true
        do {
            access.replace(with: try Self.rules(configuration))
            log(.info, "keys reloaded")
        } catch {
            isGood = false
            log(.error, "keys not reloaded", ["reason": "\(error)"])
        }
        if let alerting {
            do {
                try alerting.reload()
                log(.info, "levels reloaded")
            } catch {
                isGood = false
                log(.error, "levels not reloaded", ["reason": "\(error)"])
            }
        }
        counters.isLastReloadGood.store(isGood, ordering: .relaxed)
    }

    /// Returns when the store holds every play that was acknowledged before.
    package func waitForFollower() throws {
        try keeper.waitForStore()
    }

    /// Finishes what has arrived, refuses what comes, commits, and lets go of the directory.
    ///
    /// - Returns: whether every connection ended in time, and the archive could be written to the end.
    package func stop() -> Bool {
        log(.info, "stopping")
        health.beginStopping()
        // First, so that the database has as long as the clients have.
        keeper.follower.endSoon()
        keeper.folder.requestStop()
        keeper.housekeeper.requestStop()
        earlierReports.requestStop()
        alerting?.requestStop()
        eraser.requestStop()
        let open = server.stop()
        keeper.committer.stop()
        let isGood = open == 0 && keeper.committer.snapshot().fatal == nil
        isArchiveClosed.store(isGood, ordering: .sequentiallyConsistent)
        eraser.stop()
        keeper.stop()
        earlierReports.stop()
        alerting?.stop()
        admin.stop()
        log(.info, "stopped", ["connections": String(open)])
        return isGood
    }

    /// Says that the process ends though a stop has not come to its end.
    ///
    /// - Returns: whether all is well but for the database, whose last commit comes again after the next start.
    package func noteLateness() -> Bool {
        if isArchiveClosed.load(ordering: .sequentiallyConsistent) {
            log(.warning, "database left behind")
            return true
        }
        log(.error, "not stopped in time", ["connections": String(server.snapshot.connectionsOpen)])
        return false
    }

    /// - Parameter stopGrace: how long a stop waits for requests that have begun; nil for as long as players need.
    private static func server(
        at listen: ListenAddress, limit: Int?, budget: ByteBudget,
        isTrusted: @escaping @Sendable (IPAddress) -> Bool, stopGrace: Duration? = nil, _ log: EventLog,
        handler: any HTTPHandler
    ) throws -> HTTPServer {
        var configuration = HTTPServerConfiguration()
        configuration.budget = budget
        configuration.isTrusted = isTrusted
        if let stopGrace { configuration.stopGrace = stopGrace }
        if let limit { configuration.connectionLimit = min(limit, configuration.connectionLimit) }
        configuration.report = { notice in
            switch notice {
            case .acceptingPaused(let code):
                log(.warning, "accepting paused", ["reason": String(cString: strerror(code))])
            }
        }
        do {
            return try HTTPServer(
                address: listen.address.description, port: listen.port, configuration: configuration, handler: handler)
        } catch {
            throw IngestServerError.listening(error.description, isInUse: error.isInUse)
        }
    }

    private static func rules(_ configuration: IngestConfiguration) throws -> AccessRules {
        let rules = AccessRules(
            writeKeys: try keys(configuration.writeKeyFile), readKeys: try keys(configuration.readKeyFile),
            allowsAnonymous: configuration.allowsAnonymous,
            listensOnLoopback: configuration.listen.address.isLoopback)
        guard !rules.writeKeys.isEmpty || rules.allowsAnonymous else {
            throw IngestServerError.unguarded(configuration.listen)
        }
        return rules
    }

    private static func keys(_ file: String?) throws(IngestServerError) -> KeyRing {
        guard let file else { return KeyRing() }
        guard Foundation.access(file, R_OK) == 0 else {
            throw .keys(file: file, reason: String(cString: strerror(errno)))
        }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw .keys(file: file, reason: "it can't be read as text")
        }
        do {
            return try KeyRing(text: text)
        } catch {
            throw .keys(file: file, reason: "line \(error.line): \(error.reason)")
        }
    }

    private static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
