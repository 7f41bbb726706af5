-- Which plays the requests of a stretch of time brought in, by their number in the log.
-- A row is a play.
-- Parameters: none as the file stands; a report binds the values of its filters.
-- Columns: arrival: the play's number in the log; group_1, group_2, group_3: what the plays of its group share;
-- is_left_out: 1 when no CDN served the play; is_chosen: 1 when the report's filters choose it.
SELECT
    arrival,
    group_1,
    group_2,
    group_3,
    is_left_out,
    is_chosen
FROM (
    -- scope
    SELECT
        coalesce(cdn_region, '(unknown)') AS group_1,
        '' AS group_2,
        '' AS group_3,
        arrival,
        CASE WHEN source = 'download' THEN 1 ELSE 0 END AS is_left_out,
        1 AS is_chosen
    FROM plays
    -- end of scope
) AS scoped
