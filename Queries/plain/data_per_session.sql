-- Data per session by CDN region over all plays: the figures of `qoe report --metric sessions`, without their intervals.
-- A row is a region; the last one is all plays together. Numbers are bytes.
-- A session counts when the bytes of one of its started plays are known, or when none of its plays started; one that
-- spans regions counts in each with that part.
WITH chosen AS (
    SELECT
        coalesce(cdn_region, '(unknown)') AS region,
        session_id,
        bytes,
        startup_ms IS NOT NULL OR watched_ms > 0 AS is_started
    FROM plays
    WHERE coalesce(source, '') <> 'download'
), grouped AS (
    SELECT 0 AS is_all, * FROM chosen
    UNION ALL
    SELECT 1, '(all)', session_id, bytes, is_started FROM chosen
), sizes AS (
    SELECT is_all, region, count(*) AS plays FROM grouped GROUP BY is_all, region
), sessions AS (
    SELECT is_all, region, session_id, coalesce(sum(bytes), 0) AS bytes
    FROM grouped
    WHERE session_id IS NOT NULL
    GROUP BY is_all, region, session_id
    HAVING count(bytes) FILTER (WHERE is_started) > 0 OR count(*) FILTER (WHERE is_started) = 0
), ranked AS (
    SELECT
        is_all, region, bytes,
        count(*) OVER (PARTITION BY is_all, region) AS n,
        row_number() OVER (PARTITION BY is_all, region ORDER BY bytes) AS place
    FROM sessions
)
SELECT
    region AS cdn_region,
    count(bytes) AS sessions,
    coalesce(sum(bytes), 0) AS bytes,
    (2 * sum(bytes) + count(bytes)) / (2 * nullif(count(bytes), 0)) AS data_per_session_mean_bytes,
    max(CASE WHEN place = (n * 50 + 99) / 100 THEN bytes END) AS data_per_session_p50_bytes,
    max(CASE WHEN place = (n * 95 + 99) / 100 THEN bytes END) AS data_per_session_p95_bytes
FROM sizes LEFT JOIN ranked USING (is_all, region)
GROUP BY is_all, region
ORDER BY is_all, plays DESC, region;
