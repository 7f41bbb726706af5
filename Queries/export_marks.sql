-- How far the senders' accounts reach, and how far back: an export remembers it.
-- A row is the three numbers.
-- Parameters: none.
-- Columns: last_account: the highest number of an account in the log, 0 without one; accounts: how many there are;
-- first_receipt: when the first of them was received (ms since 1970), 0 without one.
SELECT coalesce(max(account), 0) AS last_account, count(*) AS accounts, coalesce(min(received_at), 0) AS first_receipt
FROM accounts
