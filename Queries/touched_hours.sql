-- The hours that have plays, and which of them got new ones since an export.
-- A row is an hour of play time.
-- Parameters: the highest number of a play in the log that the export covered.
-- Columns: hour: UTC hours since 1970; is_touched: 1 when a play of it came later, else 0.
SELECT hour, CASE WHEN last_arrival > ? THEN 1 ELSE 0 END AS is_touched
FROM hours
WHERE plays > 0
ORDER BY hour
