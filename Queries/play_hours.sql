-- The hours that have plays: an export tells by them what came, and what went, since the one before.
-- A row is an hour of play time.
-- Parameters: none.
-- Columns: hour: UTC hours since 1970; plays: how many there are; last_arrival: the number in the log of the last to come.
SELECT hour, plays, last_arrival
FROM hours
WHERE plays > 0
ORDER BY hour
