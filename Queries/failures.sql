-- Failed plays by error code and phase, session by session (a play without a session is counted under '').
-- A row is a group, an error code, a phase and a session in which plays of the group failed so.
-- Parameters: none as the file stands; a report binds the values of its filters.
-- Columns: group_1, group_2, group_3: what the plays of the group share; error_code; is_start_failure: 1 when the play
-- failed before its first frame, else 0; session_key: the session; failed_plays: number of plays.
SELECT
    group_1,
    group_2,
    group_3,
    error_code,
    is_start_failure,
    session_key,
    count(*) AS failed_plays
FROM (
    -- scope
    SELECT
        coalesce(cdn_region, '(unknown)') AS group_1,
        '' AS group_2,
        '' AS group_3,
        coalesce(session_id, '') AS session_key,
        error_code,
        CASE WHEN error_code IS NOT NULL THEN 1 ELSE 0 END AS is_failed,
        CASE WHEN error_code IS NOT NULL AND startup_ms IS NULL AND watched_ms = 0 THEN 1 ELSE 0 END AS is_start_failure
    FROM plays
    WHERE coalesce(source, '') <> 'download'
    -- end of scope
) AS scoped
WHERE is_failed = 1
GROUP BY group_1, group_2, group_3, error_code, is_start_failure, session_key
ORDER BY group_1, group_2, group_3, error_code, is_start_failure, session_key
