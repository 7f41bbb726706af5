-- The first hour, from one on, that has a play.
-- A row is that hour; none when there is no play.
-- Parameters: the hour to begin at (UTC hours since 1970).
-- Columns: hour: UTC hours since 1970.
SELECT hour FROM plays WHERE hour >= ? ORDER BY hour LIMIT 1
