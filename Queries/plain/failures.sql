-- Failed plays by CDN region, error code and phase over all plays: the figures of `qoe report --metric failures`, without
-- their intervals.
-- A row is a region, an error code and a phase (before the first frame, or in playback) in which plays failed so; the rows
-- of all plays together come last.
WITH chosen AS (
    SELECT
        coalesce(cdn_region, '(unknown)') AS region,
        error_code,
        CASE WHEN startup_ms IS NULL AND watched_ms = 0 THEN 'start' ELSE 'playback' END AS phase
    FROM plays
    WHERE coalesce(source, '') <> 'download'
), grouped AS (
    SELECT 0 AS is_all, * FROM chosen
    UNION ALL
    SELECT 1, '(all)', error_code, phase FROM chosen
), sizes AS (
    SELECT is_all, region, count(*) AS plays FROM grouped GROUP BY is_all, region
)
SELECT
    region AS cdn_region,
    error_code,
    phase,
    count(*) AS failed_plays,
    plays,
    printf('%.6f', count(*) * 1.0 / plays) AS failure_ratio
FROM grouped JOIN sizes USING (is_all, region)
WHERE error_code IS NOT NULL
GROUP BY is_all, region, error_code, phase
ORDER BY is_all, plays DESC, region, count(*) DESC, error_code, phase DESC;
