-- When the newest play ended.
-- A row is that time; none when there is no play from the hour on.
-- Parameters: the last hour that has a play (UTC hours since 1970).
-- Columns: newest_end: ms since 1970.
SELECT ended_at AS newest_end FROM plays WHERE hour >= ? ORDER BY ended_at DESC, arrival LIMIT 1
