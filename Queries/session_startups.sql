-- The second query of the startup percentiles: how many plays of each session started no later than them.
-- A row is a session and a group in which it has plays with a measured startup.
-- Parameters: none as the file stands; a report binds each group with the percentiles found, and its filters' values.
-- Columns: session_key: the session; group_1, group_2, group_3: what the plays of the group share;
-- measured_plays, plays_at_most_p50, plays_at_most_p95: numbers of plays.
SELECT
    session_key,
    group_1,
    group_2,
    group_3,
    coalesce(sum(is_measured), 0) AS measured_plays,
    coalesce(sum(is_at_most_p50), 0) AS plays_at_most_p50,
    coalesce(sum(is_at_most_p95), 0) AS plays_at_most_p95
FROM (
    -- scope
    SELECT
        coalesce(cdn_region, '(unknown)') AS group_1,
        '' AS group_2,
        '' AS group_3,
        coalesce(session_id, '') AS session_key,
        CASE WHEN startup_ms IS NOT NULL THEN 1 ELSE 0 END AS is_measured,
        CASE WHEN startup_ms <= 400 THEN 1 ELSE 0 END AS is_at_most_p50,
        CASE WHEN startup_ms <= 1500 THEN 1 ELSE 0 END AS is_at_most_p95
    FROM plays
    WHERE coalesce(source, '') <> 'download'
    -- end of scope
) AS scoped
WHERE session_key <> '' AND is_measured = 1
GROUP BY session_key, group_1, group_2, group_3
ORDER BY session_key, group_1, group_2, group_3
