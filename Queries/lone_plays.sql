-- Plays that belong to no session: each stands for itself where a report counts sessions.
-- A row is a group and one combination of values that at least one of its plays without a session had.
-- Parameters: none as the file stands; a report binds the values of its filters.
-- Columns: group_1, group_2, group_3: what the plays of the group share; part: 1, or 0 for plays
-- before the period, where a report compares the two; is_started … is_stalled: 0 or 1;
-- counted_stalls: stalls of a started play; watched_ms, stalled_ms: ms; plays: how many had these values.
SELECT
    group_1,
    group_2,
    group_3,
    part,
    is_started,
    is_failed,
    is_measured,
    is_within_target,
    is_stalled,
    counted_stalls,
    watched_ms,
    stalled_ms,
    count(*) AS plays
FROM (
    -- scope
    SELECT
        coalesce(cdn_region, '(unknown)') AS group_1,
        '' AS group_2,
        '' AS group_3,
        1 AS part,
        coalesce(session_id, '') AS session_key,
        CASE WHEN startup_ms IS NOT NULL OR watched_ms > 0 THEN 1 ELSE 0 END AS is_started,
        CASE WHEN error_code IS NOT NULL THEN 1 ELSE 0 END AS is_failed,
        CASE WHEN startup_ms IS NOT NULL THEN 1 ELSE 0 END AS is_measured,
        CASE WHEN startup_ms <= 1000 THEN 1 ELSE 0 END AS is_within_target,
        CASE WHEN (startup_ms IS NOT NULL OR watched_ms > 0) AND stalls > 0 THEN 1 ELSE 0 END AS is_stalled,
        CASE WHEN (startup_ms IS NOT NULL OR watched_ms > 0) THEN stalls ELSE 0 END AS counted_stalls,
        watched_ms,
        stalled_ms
    FROM plays
    WHERE coalesce(source, '') <> 'download'
    -- end of scope
) AS scoped
WHERE session_key = ''
GROUP BY
    group_1, group_2, group_3, part, is_started, is_failed, is_measured, is_within_target, is_stalled, counted_stalls,
    watched_ms, stalled_ms
ORDER BY
    group_1, group_2, group_3, part, is_started, is_failed, is_measured, is_within_target, is_stalled, counted_stalls,
    watched_ms, stalled_ms
