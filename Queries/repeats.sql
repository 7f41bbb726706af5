-- Plays that came again: stored once, and counted here.
-- A row is the two numbers.
-- Parameters: the first and the last hour of receipt (UTC hours since 1970).
-- Columns: duplicate_plays: repeats; conflicting_plays: those of them that said something else than the first.
SELECT coalesce(sum(duplicates), 0) AS duplicate_plays, coalesce(sum(conflicts), 0) AS conflicting_plays
FROM repeats
WHERE hour >= ? AND hour <= ?
