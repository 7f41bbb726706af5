-- Failed plays by error code and phase.
-- A row is a group, an error code and a phase in which plays of the group failed so.
-- Columns: group_1, group_2, group_3: what the plays of the group share; error_code; is_start_failure: 1 when the plays
-- failed before their first frame, else 0; failed_plays: number of plays.
SELECT
    group_1,
    group_2,
    group_3,
    error_code,
    is_start_failure,
    count(*) AS failed_plays
FROM (
    SELECT
        coalesce(cdn_region, '(unknown)') AS group_1,
        '' AS group_2,
        '' AS group_3,
        error_code,
        CASE WHEN startup_ms IS NULL AND watched_ms = 0 THEN 1 ELSE 0 END AS is_start_failure
    FROM plays
    WHERE coalesce(source, '') <> 'download'
) AS chosen
WHERE error_code IS NOT NULL
GROUP BY group_1, group_2, group_3, error_code, is_start_failure
ORDER BY group_1, group_2, group_3, error_code, is_start_failure
