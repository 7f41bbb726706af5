-- Events that were not taken, by the reason.
-- A row is a code of the contract.
-- Parameters: the first and the last hour of receipt (UTC hours since 1970).
-- Columns: code; rejected_events: number of events.
SELECT code, coalesce(sum(events), 0) AS rejected_events
FROM rejections
WHERE hour >= ? AND hour <= ?
GROUP BY code
ORDER BY code
