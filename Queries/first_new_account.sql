-- The earliest receipt among the senders' accounts that came since an export.
-- A row is that time; NULL when none came.
-- Parameters: the highest number of an account that the export covered.
-- Columns: first_receipt: ms since 1970.
SELECT min(received_at) AS first_receipt FROM accounts WHERE account > ?
