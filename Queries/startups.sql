-- How often each startup time occurred: percentiles are found by counting up this list.
-- A row is a group and a startup time that at least one of its plays had.
-- Columns: group_1, group_2, group_3: what the plays of the group share; startup_ms: ms from play() to the first frame;
-- plays: how many had it.
SELECT
    group_1,
    group_2,
    group_3,
    startup_ms,
    count(*) AS plays
FROM (
    SELECT
        coalesce(cdn_region, '(unknown)') AS group_1,
        '' AS group_2,
        '' AS group_3,
        startup_ms
    FROM plays
    WHERE coalesce(source, '') <> 'download'
) AS scoped
WHERE startup_ms IS NOT NULL
GROUP BY group_1, group_2, group_3, startup_ms
ORDER BY group_1, group_2, group_3, startup_ms
