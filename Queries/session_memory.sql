-- Memory footprints at the end of plays; the last row of a session is the one that counts for it.
-- A row is a play with a session and a known footprint, in the order of its session, then of time, then of arrival.
-- Parameters: none as the file stands; a report binds the values of its filters.
-- Columns: session_key: the session; ended_at: ms since 1970; arrival: the play's number in the log;
-- group_1, group_2, group_3: what the plays of its group share; memory_bytes: bytes.
SELECT
    session_key,
    ended_at,
    arrival,
    group_1,
    group_2,
    group_3,
    memory_bytes
FROM (
    -- scope
    SELECT
        coalesce(cdn_region, '(unknown)') AS group_1,
        '' AS group_2,
        '' AS group_3,
        coalesce(session_id, '') AS session_key,
        ended_at,
        arrival,
        memory_bytes
    FROM plays
    WHERE coalesce(source, '') <> 'download'
    -- end of scope
) AS scoped
WHERE session_key <> '' AND memory_bytes IS NOT NULL
ORDER BY session_key, ended_at, arrival
