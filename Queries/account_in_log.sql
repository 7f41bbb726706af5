-- Which sender's account has a number in the log.
-- A row is that account; none when it is not there.
-- Parameters: its number.
-- Columns: sender_id; sequence: the sender's own number of it; made: the plays that it had made by then.
SELECT sender_id, sequence, made FROM accounts WHERE account = ?
