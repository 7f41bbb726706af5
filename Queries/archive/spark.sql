-- The view `plays` over an archive, for Spark SQL: the columns of a store's `plays`, without a store.
-- A row is a play. Of the lines with one identifier the first in the log stands; senders' accounts and what is left of erased plays are no plays.
-- The archive lies in qoe-data/archive: change that below where yours is elsewhere. Then run queries by hand:
--     spark-sql --master spark://HOST:7077 -i Queries/archive/spark.sql -f Queries/totals.sql
-- Archives of several servers: name all their folders, and order by received_at before the segment below.
CREATE OR REPLACE TEMPORARY VIEW archive_lines (
    playId STRING, `index` BIGINT, videoId STRING, stalls BIGINT, stalledMs BIGINT, watchedMs BIGINT, startupMs BIGINT,
    avgBitrate BIGINT, error STRING, endedAt BIGINT, clockSkewed BOOLEAN, bytes BIGINT, memoryBytes BIGINT,
    waitedMs BIGINT, accessLogStartupMs BIGINT, attempt BIGINT, playerStalls BIGINT, playerStalledMs BIGINT, endedBy STRING, sessionId STRING,
    cdn STRING, cdnRegion STRING,
    regionFrom STRING, network STRING, source STRING, appVersion STRING, osVersion STRING, deviceModel STRING,
    player STRING, tags STRING, receivedAt BIGINT, requestId STRING
)
USING json
OPTIONS (path 'qoe-data/archive', recursiveFileLookup 'true', pathGlobFilter 'plays-*.ndjson.gz');

CREATE OR REPLACE TEMPORARY VIEW plays AS
SELECT
    endedAt div 86400000 AS day,
    endedAt div 3600000 AS hour,
    identifier AS play_id,
    sessionId AS session_id,
    videoId AS video_id,
    cdn,
    cdnRegion AS cdn_region,
    network,
    appVersion AS app_version,
    osVersion AS os_version,
    deviceModel AS device_model,
    player,
    tags,
    startupMs AS startup_ms,
    stalls,
    stalledMs AS stalled_ms,
    watchedMs AS watched_ms,
    avgBitrate AS avg_bitrate,
    CASE
        WHEN bytes IS NOT NULL THEN bytes
        WHEN startupMs IS NULL AND watchedMs = 0 THEN 0
        ELSE (avgBitrate * (watchedMs - stalledMs) + 4000) div 8000
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
    -- Not the number that a store gives a play, but the same order.
    segment * 8589934592 + line AS arrival,
    CASE WHEN playId IS NULL THEN 1 ELSE 0 END AS play_id_made
FROM (
    SELECT *, row_number() OVER (PARTITION BY identifier ORDER BY segment, line) AS copy
    FROM (
        SELECT
            *,
            coalesce(playId, concat(requestId, '#', coalesce(CAST(`index` AS STRING), concat('line ', line))))
                AS identifier
        FROM (
            -- A file of gzip is never split: its lines are numbered within the one task that reads it.
            SELECT
                *,
                CAST(regexp_extract(input_file_name(), '-([0-9]+)[.]ndjson[.]gz$', 1) AS BIGINT) AS segment,
                monotonically_increasing_id() % 8589934592 AS line
            FROM archive_lines
        ) AS numbered
        WHERE videoId IS NOT NULL
    ) AS identified
) AS copies
WHERE copy = 1;
