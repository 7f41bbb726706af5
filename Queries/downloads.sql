-- How many plays came from the device's own storage: no CDN served them, so reports leave them out and say how many.
-- A row is the one number.
-- Parameters: none as the file stands; a report binds the values of its filters.
-- Columns: downloads: number of plays.
SELECT coalesce(sum(is_left_out), 0) AS downloads
FROM (
    -- scope
    SELECT
        CASE WHEN source = 'download' THEN 1 ELSE 0 END AS is_left_out
    FROM plays
    -- end of scope
) AS scoped
