internal import PlaybackEvents

/// The tables and views of the embedded database.
enum StoreSchema {
    /// `PRAGMA user_version`, the layout: raised with every change of a table.
    static let version: Int64 = 5
    /// The oldest layout from which a database is raised in place.
    static let oldestRaised: Int64 = 1
    /// `PRAGMA application_id`: "qoe1" in ASCII.
    static let applicationId: Int64 = 0x716F_6531

    /// Makes everything, in an empty database.
    static var creation: String {
        let small = [small, HourColumns.table, RunHashes.table, StoreOrigin.table]
        let tables = PlayTable.allCases.map(\.creation) + DictionaryTable.all.map(\.creation) + small
        let index = """
            -- Runs of no session. Nothing of this program asks for them any more: whoever reads goes by run_hashes.
            CREATE INDEX sessionless_runs ON runs (id) WHERE session_id IS NULL;
            """
        return """
            \((tables + [index, indexesOfAccounts] + views).joined(separator: "\n"))
            PRAGMA application_id = \(applicationId);
            PRAGMA user_version = \(version);
            """
    }

    /// Makes a database of an older layout one of this: what layouts since then have added, and the views anew.
    ///
    /// - Parameter found: from ``oldestRaised`` on.
    static func raise(from found: Int64) -> String {
        let additions = additions.filter { $0.layout > found }.map(\.sql)
        let removals = ["play_rows", "plays", "accounts"].map { "DROP VIEW IF EXISTS \($0);" }
        return """
            \((additions + removals + views).joined(separator: "\n"))
            PRAGMA user_version = \(version);
            """
    }

    /// What each layout has that the one before it lacks. A layout that takes or changes something is none of these: a
    /// database from before it has to be made anew.
    private static let additions: [(layout: Int64, sql: String)] = [
        (2, PlayTable.allCases.map { $0.addition(of: [.playerStalls, .playerStalledMs]) }.joined(separator: "\n")),
        (2, StoreOrigin.table), (2, clock),
        (
            3,
            (columnsOfHours.map { "ALTER TABLE hours ADD COLUMN \($0);" } + [HourColumns.table, RunHashes.table])
                .joined(separator: "\n")
        ),
        // Layout 4 says in bits of `flags` what ended a play; of the tables nothing is added, the views are made anew.
        (
            5,
            (columnsOfAccounts.map { "ALTER TABLE sender_accounts ADD COLUMN \($0);" } + [indexesOfAccounts])
                .joined(separator: "\n")
                    + """

                    -- One entry for all accounts of a sender, whose name may have several.
                    UPDATE sender_accounts SET sender = (
                        SELECT min(other.id) FROM senders AS own JOIN senders AS other ON other.sender_id = own.sender_id
                        WHERE own.id = sender_accounts.sender);
                    """
        ),
    ]

    /// How many of an hour's plays are in columns, and up to which arrival; NULL without columns.
    private static let columnsOfHours = ["column_plays INTEGER", "column_arrival INTEGER"]

    private static var views: [String] { [rowsView, playsView, accountsView] }

    /// How many plays of an account's request became rows, and the entries of `deliveries` that they have: a number, or four
    /// bytes each; both NULL where an older layout has not noted them.
    private static let columnsOfAccounts = ["stored INTEGER", "contexts BLOB"]

    private static let indexesOfAccounts = """
        -- The accounts of a time of receipt, and of a sender the highest one before a time.
        CREATE INDEX accounts_by_receipt ON sender_accounts (received_at);
        CREATE INDEX accounts_by_sender ON sender_accounts (sender, sequence DESC, received_at);
        CREATE INDEX senders_by_name ON senders (sender_id);
        """

    private static let small = """
        -- Plays dated by their receipt alone, whose repeats would get another hour.
        CREATE TABLE receipt_dated_plays (
            play_id BLOB PRIMARY KEY,
            hour INTEGER
        ) WITHOUT ROWID;
        -- The senders' accounts in the order of the log, with the arrivals of the same request.
        CREATE TABLE sender_accounts (
            account INTEGER PRIMARY KEY,
            sender INTEGER,
            sequence INTEGER,
            made INTEGER,
            dropped INTEGER,
            rejected INTEGER,
            received_at INTEGER,
            first_arrival INTEGER,
            arrivals INTEGER,
            \(columnsOfAccounts.joined(separator: ",\n    "))
        );
        -- Rejected events by hour of receipt and code.
        CREATE TABLE rejections (
            hour INTEGER,
            code TEXT,
            events INTEGER,
            PRIMARY KEY (hour, code)
        ) WITHOUT ROWID;
        -- Repeats by hour of their receipt; conflicts are counted as duplicates too.
        CREATE TABLE repeats (
            hour INTEGER PRIMARY KEY,
            duplicates INTEGER,
            conflicts INTEGER
        );
        -- Plays by their own hour.
        CREATE TABLE hours (
            hour INTEGER PRIMARY KEY,
            plays INTEGER,
            last_arrival INTEGER,
            last_received_at INTEGER,
            \(columnsOfHours.joined(separator: ",\n    "))
        );
        -- How far the logs have been read.
        CREATE TABLE log_places (
            log TEXT PRIMARY KEY,
            segment INTEGER,
            offset INTEGER
        ) WITHOUT ROWID;
        INSERT INTO log_places VALUES ('plays', 0, 0), ('rejected', 0, 0);
        -- One row.
        CREATE TABLE totals (
            arrivals INTEGER,
            accounts INTEGER,
            loaded INTEGER,
            duplicates INTEGER,
            conflicts INTEGER,
            unloadable INTEGER,
            pruned INTEGER,
            pruned_before INTEGER
        );
        INSERT INTO totals VALUES (0, 0, 0, 0, 0, 0, 0, NULL);
        \(clock)
        """

    private static let clock = """
        -- The last receipt of the log, and what may still be spent on looking for plays from before a step of its clock.
        ALTER TABLE totals ADD COLUMN last_received_at INTEGER;
        ALTER TABLE totals ADD COLUMN clock_credit INTEGER;
        -- The newest steps of the clock that has received the plays, the last first.
        CREATE TABLE clock_steps (
            step INTEGER PRIMARY KEY,
            moment INTEGER,
            shift INTEGER
        );
        """

    /// All rows of plays as they are stored, with the numbers of their dictionaries.
    private static let rowsView = """
        CREATE VIEW play_rows AS
        \(PlayTable.allCases.map { "SELECT \(PlayColumn.list) FROM \($0.rawValue)" }.joined(separator: "\nUNION ALL\n"));
        """

    private static let playsView = """
        CREATE VIEW plays AS
        \(PlayTable.allCases.map(plays(of:)).joined(separator: "\nUNION ALL\n"));
        """

    /// The plays of a table as people and programs read them; the table is `p`.
    static func plays(of table: PlayTable) -> String {
        let regions = Play.RegionSource.allCases.map { "WHEN \($0.rawValue) THEN '\($0.name)'" }.joined(separator: " ")
        let endings = Play.Ending.allCases.map { "WHEN \($0.rawValue) THEN '\($0.name)'" }.joined(separator: " ")
        return """
            SELECT
                (p.hour - (p.hour % 24 + 24) % 24) / 24 AS day,
                p.hour AS hour,
                lower(substr(hex(p.play_id), 1, 8) || '-' || substr(hex(p.play_id), 9, 4) || '-'
                    || substr(hex(p.play_id), 13, 4) || '-' || substr(hex(p.play_id), 17, 4) || '-'
                    || substr(hex(p.play_id), 21, 12)) AS play_id,
                r.session_id AS session_id,
                v.video_id AS video_id,
                d.cdn AS cdn,
                d.cdn_region AS cdn_region,
                d.network AS network,
                a.app_version AS app_version,
                a.os_version AS os_version,
                a.device_model AS device_model,
                a.player AS player,
                t.tags AS tags,
                p.startup_ms AS startup_ms,
                p.stalls AS stalls,
                p.stalled_ms AS stalled_ms,
                p.watched_ms AS watched_ms,
                p.avg_bitrate AS avg_bitrate,
                CASE
                    WHEN p.bytes IS NOT NULL THEN p.bytes
                    WHEN p.startup_ms IS NULL AND p.watched_ms = 0 THEN 0
                    ELSE (p.avg_bitrate * (p.watched_ms - p.stalled_ms) + 4000) / 8000
                END AS bytes,
                p.bytes IS NULL AND p.avg_bitrate IS NOT NULL AND (p.startup_ms IS NOT NULL OR p.watched_ms > 0)
                    AS bytes_estimated,
                e.error_code AS error_code,
                p.waited_ms AS waited_ms,
                p.memory_bytes AS memory_bytes,
                p.hour * 3600000 + p.ended_ms AS ended_at,
                p.hour * 3600000 + p.ended_ms + p.lag_ms AS received_at,
                p.flags & 1 AS clock_skewed,
                d.source AS source,
                p.attempt AS attempt,
                p.access_log_startup_ms AS access_log_startup_ms,
                p.player_stalls AS player_stalls,
                p.player_stalled_ms AS player_stalled_ms,
                CASE p.flags / 4 & 3 \(endings) END AS ended_by,
                CASE d.region_from \(regions) END AS region_from,
                p.arrival AS arrival,
                p.flags / 2 & 1 AS play_id_made
            FROM \(table.rawValue) AS p
            LEFT JOIN videos AS v ON v.id = p.video
            LEFT JOIN deliveries AS d ON d.id = p.delivery
            LEFT JOIN runs AS r ON r.id = p.run
            LEFT JOIN devices AS a ON a.id = r.device
            LEFT JOIN tag_sets AS t ON t.id = p.tag_set
            LEFT JOIN errors AS e ON e.id = p.error
            """
    }

    /// `last_arrival` is one less than `first_arrival` where a request brought no play.
    private static let accountsView = """
        CREATE VIEW accounts AS
        SELECT
            s.account AS account,
            n.sender_id AS sender_id,
            s.sequence AS sequence,
            s.made AS made,
            s.dropped AS dropped,
            s.rejected AS rejected,
            s.received_at AS received_at,
            s.first_arrival AS first_arrival,
            s.first_arrival + s.arrivals - 1 AS last_arrival
        FROM sender_accounts AS s
        JOIN senders AS n ON n.id = s.sender;
        """
}
