-- The view `plays` over an archive, for DuckDB: the columns of a store's `plays`, without a store.
-- A row is a play. Of the lines with one identifier the first in the log stands; senders' accounts and what is left of erased plays are no plays.
-- The archive lies in qoe-data/archive: change that below where yours is elsewhere. Then run queries by hand:
--     duckdb -init Queries/archive/duckdb.sql -box -c ".read Queries/totals.sql"
-- Archives of several servers: name all their files, and order by "receivedAt" first in both places below.
CREATE OR REPLACE TEMPORARY VIEW plays AS
WITH lines AS (
    SELECT
        *,
        row_number() OVER (
            ORDER BY CAST(regexp_extract(filename, '-([0-9]+)[.]ndjson[.]gz$', 1) AS BIGINT), line
        ) AS arrival
    FROM (
        -- DuckDB keeps the order of a file's lines, and only a window without an order keeps to it.
        SELECT *, row_number() OVER () AS line
        FROM read_json(
            'qoe-data/archive/*/plays-*.ndjson.gz', format = 'newline_delimited', filename = true,
            hive_partitioning = false,
            columns = {
                playId: 'VARCHAR', "index": 'BIGINT', videoId: 'VARCHAR', stalls: 'BIGINT', stalledMs: 'BIGINT',
                watchedMs: 'BIGINT', startupMs: 'BIGINT', avgBitrate: 'BIGINT', error: 'VARCHAR', endedAt: 'BIGINT',
                clockSkewed: 'BOOLEAN', bytes: 'BIGINT', memoryBytes: 'BIGINT', waitedMs: 'BIGINT',
                accessLogStartupMs: 'BIGINT', attempt: 'BIGINT', playerStalls: 'BIGINT', playerStalledMs: 'BIGINT',
                endedBy: 'VARCHAR',
                sessionId: 'VARCHAR', cdn: 'VARCHAR',
                cdnRegion: 'VARCHAR', regionFrom: 'VARCHAR', network: 'VARCHAR', source: 'VARCHAR',
                appVersion: 'VARCHAR', osVersion: 'VARCHAR', deviceModel: 'VARCHAR', player: 'VARCHAR', tags: 'JSON',
                receivedAt: 'BIGINT', requestId: 'VARCHAR'
            })
    )
    WHERE videoId IS NOT NULL
)
SELECT
    endedAt // 86400000 AS day,
    endedAt // 3600000 AS hour,
    coalesce(playId, requestId || '#' || coalesce(CAST("index" AS VARCHAR), 'line ' || arrival)) AS play_id,
    sessionId AS session_id,
    videoId AS video_id,
    cdn,
    cdnRegion AS cdn_region,
    network,
    appVersion AS app_version,
    osVersion AS os_version,
    deviceModel AS device_model,
    player,
    CAST(tags AS VARCHAR) AS tags,
    startupMs AS startup_ms,
    stalls,
    stalledMs AS stalled_ms,
    watchedMs AS watched_ms,
    avgBitrate AS avg_bitrate,
    CASE
        WHEN bytes IS NOT NULL THEN bytes
        WHEN startupMs IS NULL AND watchedMs = 0 THEN 0
        ELSE (avgBitrate * (watchedMs - stalledMs) + 4000) // 8000
    END AS bytes,
    CASE
        WHEN bytes IS NULL AND avgBitrate IS NOT NULL AND (startupMs IS NOT NULL OR watchedMs > 0) THEN 1
        ELSE 0
    END AS bytes_estimated,
    error AS error_code,
    waitedMs AS waited_ms,
    memoryBytes AS memory_bytes,
    endedAt AS ended_at,
    receivedAt AS received_at,
    CASE WHEN clockSkewed THEN 1 ELSE 0 END AS clock_skewed,
    source,
    attempt,
    accessLogStartupMs AS access_log_startup_ms,
    playerStalls AS player_stalls,
    playerStalledMs AS player_stalled_ms,
    endedBy AS ended_by,
    regionFrom AS region_from,
    arrival,
    CASE WHEN playId IS NULL THEN 1 ELSE 0 END AS play_id_made
FROM lines
QUALIFY row_number() OVER (PARTITION BY play_id ORDER BY arrival) = 1;
