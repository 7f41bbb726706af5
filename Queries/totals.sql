-- Counts and sums of the plays of each group; every ratio of a report divides two of these numbers.
-- A row is a group that has plays.
-- Columns: group_1, group_2, group_3: what the plays of the group share; plays … gave_up_plays: numbers of plays;
-- watched, stalled, rated: ms (rated: playing time of the plays whose bitrate is known); rated_bytes: what those bitrates
-- make in that time, the whole multiples of 2^32 and the rest apart, so that no sum overflows;
-- first_end, last_end, last_receipt: ms since 1970.
SELECT
    group_1,
    group_2,
    group_3,
    count(*) AS plays,
    coalesce(sum(is_started), 0) AS started_plays,
    coalesce(sum(is_failed), 0) AS failed_plays,
    coalesce(sum(is_start_failure), 0) AS start_failures,
    coalesce(sum(is_measured), 0) AS measured_plays,
    coalesce(sum(is_within_target), 0) AS plays_within_target,
    coalesce(sum(is_stalled), 0) AS stalled_plays,
    coalesce(sum(counted_stalls), 0) AS stall_count,
    coalesce(sum(watched_ms), 0) AS watched,
    coalesce(sum(stalled_ms), 0) AS stalled,
    coalesce(sum(is_exit), 0) AS exits,
    coalesce(sum(is_quick_exit), 0) AS quick_exits,
    coalesce(sum(is_late), 0) AS late_plays,
    coalesce(sum(rated_ms), 0) AS rated,
    coalesce(sum(rated_high), 0) AS rated_bytes_high,
    coalesce(sum(rated_low), 0) AS rated_bytes_low,
    coalesce(sum(play_id_made), 0) AS plays_without_id,
    coalesce(sum(CASE WHEN session_key = '' THEN 1 ELSE 0 END), 0) AS plays_without_session,
    coalesce(sum(CASE WHEN region_from IS NULL THEN 1 ELSE 0 END), 0) AS plays_without_region,
    coalesce(sum(CASE WHEN region_from = 'event' THEN 1 ELSE 0 END), 0) AS regions_from_event,
    coalesce(sum(CASE WHEN region_from = 'context' THEN 1 ELSE 0 END), 0) AS regions_from_context,
    coalesce(sum(CASE WHEN region_from = 'header' THEN 1 ELSE 0 END), 0) AS regions_from_header,
    coalesce(sum(clock_skewed), 0) AS plays_with_skewed_clock,
    coalesce(sum(CASE WHEN is_started = 1 AND is_measured = 0 THEN 1 ELSE 0 END), 0) AS unmeasured_plays,
    coalesce(sum(is_log_compared), 0) AS compared_plays,
    coalesce(sum(is_log_disagreeing), 0) AS disagreeing_plays,
    coalesce(sum(is_stall_compared), 0) AS stall_compared_plays,
    coalesce(sum(is_stall_disagreeing), 0) AS stall_disagreeing_plays,
    coalesce(sum(is_retry), 0) AS retried_plays,
    coalesce(sum(gave_up), 0) AS gave_up_plays,
    min(ended_at) AS first_end,
    max(ended_at) AS last_end,
    max(received_at) AS last_receipt
FROM (
    SELECT
        coalesce(cdn_region, '(unknown)') AS group_1,
        '' AS group_2,
        '' AS group_3,
        coalesce(session_id, '') AS session_key,
        CASE WHEN startup_ms IS NOT NULL OR watched_ms > 0 THEN 1 ELSE 0 END AS is_started,
        CASE WHEN error_code IS NOT NULL THEN 1 ELSE 0 END AS is_failed,
        CASE WHEN error_code IS NOT NULL AND startup_ms IS NULL AND watched_ms = 0 THEN 1 ELSE 0 END AS is_start_failure,
        CASE WHEN startup_ms IS NOT NULL THEN 1 ELSE 0 END AS is_measured,
        CASE WHEN startup_ms <= 1000 THEN 1 ELSE 0 END AS is_within_target,
        CASE WHEN (startup_ms IS NOT NULL OR watched_ms > 0) AND stalls > 0 THEN 1 ELSE 0 END AS is_stalled,
        CASE WHEN (startup_ms IS NOT NULL OR watched_ms > 0) THEN stalls ELSE 0 END AS counted_stalls,
        watched_ms,
        stalled_ms,
        CASE WHEN startup_ms IS NULL AND watched_ms = 0 AND error_code IS NULL THEN 1 ELSE 0 END AS is_exit,
        CASE WHEN startup_ms IS NULL AND watched_ms = 0 AND error_code IS NULL AND waited_ms < 1000 THEN 1 ELSE 0 END AS is_quick_exit,
        CASE WHEN received_at - (ended_at + 86400000 - ended_at % 86400000) > 3600000 THEN 1 ELSE 0 END AS is_late,
        CASE WHEN avg_bitrate IS NULL THEN 0 ELSE watched_ms - stalled_ms END AS rated_ms,
        CAST(((CAST(((coalesce(avg_bitrate, 0) * (watched_ms - stalled_ms) + 4000) - (coalesce(avg_bitrate, 0) * (watched_ms - stalled_ms) + 4000) % 8000) * 1.25e-4 + 0.25 AS BIGINT)) - (CAST(((coalesce(avg_bitrate, 0) * (watched_ms - stalled_ms) + 4000) - (coalesce(avg_bitrate, 0) * (watched_ms - stalled_ms) + 4000) % 8000) * 1.25e-4 + 0.25 AS BIGINT)) % 4294967296) * 2.3283064365386962890625e-10 + 0.25 AS BIGINT) AS rated_high,
        (CAST(((coalesce(avg_bitrate, 0) * (watched_ms - stalled_ms) + 4000) - (coalesce(avg_bitrate, 0) * (watched_ms - stalled_ms) + 4000) % 8000) * 1.25e-4 + 0.25 AS BIGINT)) % 4294967296 AS rated_low,
        play_id_made,
        region_from,
        clock_skewed,
        CASE WHEN startup_ms IS NOT NULL AND access_log_startup_ms IS NOT NULL THEN 1 ELSE 0 END AS is_log_compared,
        CASE WHEN startup_ms IS NOT NULL AND access_log_startup_ms IS NOT NULL AND abs(startup_ms - access_log_startup_ms) > 250 THEN 1 ELSE 0 END AS is_log_disagreeing,
        CASE WHEN (startup_ms IS NOT NULL OR watched_ms > 0) AND (player_stalls IS NOT NULL OR player_stalled_ms IS NOT NULL) THEN 1 ELSE 0 END AS is_stall_compared,
        CASE WHEN (startup_ms IS NOT NULL OR watched_ms > 0) AND (coalesce(player_stalls, stalls) <> stalls OR abs(coalesce(player_stalled_ms, stalled_ms) - stalled_ms) > 250) THEN 1 ELSE 0 END AS is_stall_disagreeing,
        CASE WHEN attempt >= 2 THEN 1 ELSE 0 END AS is_retry,
        CASE WHEN attempt >= 2 AND error_code IS NOT NULL THEN 1 ELSE 0 END AS gave_up,
        ended_at,
        received_at
    FROM plays
    WHERE coalesce(source, '') <> 'download'
) AS scoped
GROUP BY group_1, group_2, group_3
ORDER BY group_1, group_2, group_3
