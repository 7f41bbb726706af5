-- The running totals that senders sent with their requests, in order of receipt.
-- A row is one request's account, of senders that sent at least one request in the time asked about; the accounts before
-- it are there too, since a sender's plays are the difference of two accounts.
-- Parameters: where the time ends, where it begins, where it ends once more (ms since 1970; the end is not included).
-- Columns: sender_id; sequence: the sender's number of the request; made, dropped, rejected: plays since the sender
-- began; received_at: ms since 1970; first_arrival, last_arrival: the request's plays in the log.
SELECT
    sender_id,
    sequence,
    made,
    dropped,
    rejected,
    received_at,
    first_arrival,
    last_arrival
FROM accounts
WHERE received_at < ?
    AND sender_id IN (SELECT sender_id FROM accounts WHERE received_at >= ? AND received_at < ?)
ORDER BY received_at, account
