-- Which play has a number in the log: the same number is another play's after a backup was restored.
-- A row is that play; none when it is not there.
-- Parameters: its hour (UTC hours since 1970); its number.
-- Columns: play_id: a UUID as text; received_at: ms since 1970.
SELECT play_id, received_at FROM plays WHERE hour = ? AND arrival = ?
