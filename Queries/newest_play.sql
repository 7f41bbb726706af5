-- When the newest play of an hour ended, of those before a time.
-- A row is that time; none when there is no such play.
-- Parameters: the hour (UTC hours since 1970); the time (ms since 1970).
-- Columns: newest_end: ms since 1970.
SELECT ended_at AS newest_end FROM plays WHERE hour = ? AND ended_at < ? ORDER BY ended_at DESC, arrival LIMIT 1
