-- How often each startup time occurred: a report finds its percentiles by counting up this list.
-- A row is a group and a startup time that at least one of its plays had.
-- Parameters: none as the file stands; a report binds the values of its filters.
-- Columns: group_1, group_2, group_3: what the plays of the group share; startup_ms: ms from play() to the first frame;
-- plays: how many had it; lone_plays: how many of these belong to no session.
SELECT
    group_1,
    group_2,
    group_3,
    startup_ms,
    count(*) AS plays,
    coalesce(sum(CASE WHEN session_key = '' THEN 1 ELSE 0 END), 0) AS lone_plays
FROM (
    -- scope
    SELECT
        coalesce(cdn_region, '(unknown)') AS group_1,
        '' AS group_2,
        '' AS group_3,
        coalesce(session_id, '') AS session_key,
        startup_ms
    FROM plays
    WHERE coalesce(source, '') <> 'download'
    -- end of scope
) AS scoped
WHERE startup_ms IS NOT NULL
GROUP BY group_1, group_2, group_3, startup_ms
ORDER BY group_1, group_2, group_3, startup_ms
