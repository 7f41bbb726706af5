-- The last hour that has a play.
-- A row is that hour; none when there is no play.
-- Parameters: none.
-- Columns: hour: UTC hours since 1970.
SELECT hour FROM plays ORDER BY hour DESC LIMIT 1
