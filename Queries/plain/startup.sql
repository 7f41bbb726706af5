-- Startup p50 and p95 by CDN region over all plays: the figures of `qoe report --metric startup`, without their intervals.
-- A row is a region; the last one is all plays together. Times are ms from play() to the first frame.
-- A percentile is the value at place ceil(n * p / 100) of the sorted values: one that occurred.
WITH measured AS (
    SELECT coalesce(cdn_region, '(unknown)') AS region, startup_ms
    FROM plays
    WHERE coalesce(source, '') <> 'download'
), grouped AS (
    SELECT 0 AS is_all, region, startup_ms FROM measured
    UNION ALL
    SELECT 1, '(all)', startup_ms FROM measured
), ranked AS (
    SELECT
        is_all, region, startup_ms,
        count(*) OVER (PARTITION BY is_all, region) AS plays,
        count(startup_ms) OVER (PARTITION BY is_all, region) AS n,
        row_number() OVER (PARTITION BY is_all, region ORDER BY startup_ms NULLS LAST) AS place
    FROM grouped
)
SELECT
    region AS cdn_region,
    max(plays) AS plays,
    max(n) AS measured,
    max(CASE WHEN place = (n * 50 + 99) / 100 THEN startup_ms END) AS startup_p50_ms,
    max(CASE WHEN place = (n * 95 + 99) / 100 THEN startup_ms END) AS startup_p95_ms
FROM ranked
GROUP BY is_all, region
ORDER BY is_all, max(plays) DESC, region;
