-- Sums of the plays of each session: plays of one session share a network and a device, so intervals count sessions.
-- A row is a session and a group in which it has plays.
-- Parameters: none as the file stands; a report binds the values of its filters.
-- Columns: session_key: the session; group_1, group_2, group_3: what the plays of the group share; part: 1, or 0 for plays
-- before the period, where a report compares the two;
-- plays … weighed_plays: numbers of plays (weighed: started, with known bytes); stall_count: stalls of started plays;
-- watched, stalled: ms; bytes, estimate: bytes of the plays and what of them is estimated from the bitrate,
-- the whole multiples of 2^32 and the rest apart.
SELECT
    session_key,
    group_1,
    group_2,
    group_3,
    part,
    count(*) AS plays,
    coalesce(sum(is_started), 0) AS started_plays,
    coalesce(sum(is_failed), 0) AS failed_plays,
    coalesce(sum(is_measured), 0) AS measured_plays,
    coalesce(sum(is_within_target), 0) AS plays_within_target,
    coalesce(sum(is_stalled), 0) AS stalled_plays,
    coalesce(sum(counted_stalls), 0) AS stall_count,
    coalesce(sum(watched_ms), 0) AS watched,
    coalesce(sum(stalled_ms), 0) AS stalled,
    coalesce(sum(is_weighed), 0) AS weighed_plays,
    coalesce(sum(bytes_high), 0) AS session_bytes_high,
    coalesce(sum(bytes_low), 0) AS session_bytes_low,
    coalesce(sum(estimate_high), 0) AS session_estimate_high,
    coalesce(sum(estimate_low), 0) AS session_estimate_low
FROM (
    -- scope
    SELECT
        coalesce(cdn_region, '(unknown)') AS group_1,
        '' AS group_2,
        '' AS group_3,
        1 AS part,
        coalesce(session_id, '') AS session_key,
        CASE WHEN startup_ms IS NOT NULL OR watched_ms > 0 THEN 1 ELSE 0 END AS is_started,
        CASE WHEN error_code IS NOT NULL THEN 1 ELSE 0 END AS is_failed,
        CASE WHEN startup_ms IS NOT NULL THEN 1 ELSE 0 END AS is_measured,
        CASE WHEN startup_ms <= 1000 THEN 1 ELSE 0 END AS is_within_target,
        CASE WHEN (startup_ms IS NOT NULL OR watched_ms > 0) AND stalls > 0 THEN 1 ELSE 0 END AS is_stalled,
        CASE WHEN (startup_ms IS NOT NULL OR watched_ms > 0) THEN stalls ELSE 0 END AS counted_stalls,
        watched_ms,
        stalled_ms,
        CASE WHEN (startup_ms IS NOT NULL OR watched_ms > 0) AND bytes IS NOT NULL THEN 1 ELSE 0 END AS is_weighed,
        CAST(((coalesce(bytes, 0)) - (coalesce(bytes, 0)) % 4294967296) * 2.3283064365386962890625e-10 + 0.25 AS BIGINT) AS bytes_high,
        (coalesce(bytes, 0)) % 4294967296 AS bytes_low,
        CAST(((CASE WHEN bytes_estimated = 1 THEN coalesce(bytes, 0) ELSE 0 END) - (CASE WHEN bytes_estimated = 1 THEN coalesce(bytes, 0) ELSE 0 END) % 4294967296) * 2.3283064365386962890625e-10 + 0.25 AS BIGINT) AS estimate_high,
        (CASE WHEN bytes_estimated = 1 THEN coalesce(bytes, 0) ELSE 0 END) % 4294967296 AS estimate_low
    FROM plays
    WHERE coalesce(source, '') <> 'download'
    -- end of scope
) AS scoped
WHERE session_key <> ''
GROUP BY session_key, group_1, group_2, group_3, part
ORDER BY session_key, group_1, group_2, group_3, part
