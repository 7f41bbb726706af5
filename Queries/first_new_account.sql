-- The earliest receipt among the senders' accounts that came since an export.
-- A row is that time; none when no account came.
-- Parameters: the highest number of an account that the export covered.
-- Columns: first_receipt: ms since 1970.
SELECT received_at AS first_receipt FROM accounts WHERE account > ? ORDER BY received_at, account LIMIT 1
