-- The sums that intervals are made of: by session, then by group, since plays of one session share a network and a device.
-- A row is a group that has plays. A play without a session is a session of its own.
-- Columns: group_1, group_2, group_3: what the plays of the group share; sessions: m; then for the failure rate the base X,
-- the events Y and the sums of their squares and products over sessions.
SELECT
    group_1,
    group_2,
    group_3,
    count(*) AS sessions,
    sum(plays) AS failure_base,
    sum(failed_plays) AS failure_events,
    sum(plays * plays) AS failure_base_squares,
    sum(plays * failed_plays) AS failure_products,
    sum(failed_plays * failed_plays) AS failure_event_squares
FROM (
    SELECT
        group_1,
        group_2,
        group_3,
        session_key,
        count(*) AS plays,
        coalesce(sum(is_failed), 0) AS failed_plays
    FROM (
        SELECT
            coalesce(cdn_region, '(unknown)') AS group_1,
            '' AS group_2,
            '' AS group_3,
            coalesce(session_id, play_id) AS session_key,
            CASE WHEN error_code IS NOT NULL THEN 1 ELSE 0 END AS is_failed
        FROM plays
        WHERE coalesce(source, '') <> 'download'
    ) AS chosen
    GROUP BY group_1, group_2, group_3, session_key
) AS by_session
GROUP BY group_1, group_2, group_3
ORDER BY group_1, group_2, group_3
