-- Rebuffer ratio by CDN region over all plays: the figures of `qoe report --metric rebuffering`, without their intervals.
-- A row is a region; the last one is all plays together. Times are ms; the ratio is a ratio of sums over started plays.
WITH chosen AS (
    SELECT
        coalesce(cdn_region, '(unknown)') AS region,
        startup_ms IS NOT NULL OR watched_ms > 0 AS is_started,
        watched_ms, stalled_ms, stalls
    FROM plays
    WHERE coalesce(source, '') <> 'download'
), grouped AS (
    SELECT 0 AS is_all, * FROM chosen
    UNION ALL
    SELECT 1, '(all)', is_started, watched_ms, stalled_ms, stalls FROM chosen
)
SELECT
    region AS cdn_region,
    count(*) FILTER (WHERE is_started) AS started,
    sum(watched_ms) AS watched_ms,
    sum(stalled_ms) AS stalled_ms,
    coalesce(sum(stalls) FILTER (WHERE is_started), 0) AS stalls,
    CASE WHEN sum(watched_ms) > 0
        THEN printf('%.6f', sum(stalled_ms) * 1.0 / sum(watched_ms)) END AS rebuffer_ratio,
    CASE WHEN sum(watched_ms) > 0
        THEN printf('%.6f', sum(stalls) FILTER (WHERE is_started) * 3600000.0 / sum(watched_ms)) END AS stalls_per_hour
FROM grouped
GROUP BY is_all, region
ORDER BY is_all, count(*) DESC, region;
