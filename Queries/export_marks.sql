-- How far the store's log reaches: an export remembers it, and asks the next time what came after it.
-- A row is the three numbers.
-- Parameters: none.
-- Columns: last_play: the highest number of a play in the log, 0 without one; last_account: that of a sender's account;
-- newest_hour: the last hour that has a play (UTC hours since 1970), NULL without one.
SELECT
    (SELECT coalesce(max(last_arrival), 0) FROM hours) AS last_play,
    (SELECT coalesce(max(account), 0) FROM accounts) AS last_account,
    (SELECT max(CASE WHEN plays > 0 THEN hour END) FROM hours) AS newest_hour
