"""DuckDB's time for the summary by region over a CSV file of plays, without intervals.

python duckdb_report.py PLAYS.csv DATABASE: loads once, then prints the seconds with one thread and with two (medians of
five), and what came out by region.
"""

import statistics
import sys
import time

import duckdb

QUERIES = [
    """
    SELECT cdn_region, count(*), count(startup_ms), quantile_disc(startup_ms, [0.5, 0.95]),
        count(*) FILTER (startup_ms <= 1000), sum(watched_ms), sum(stalled_ms), sum(stalls),
        count(*) FILTER (stalls > 0), count(error)
    FROM plays GROUP BY cdn_region ORDER BY cdn_region
    """,
    "SELECT cdn_region, error, count(*) FROM plays WHERE error IS NOT NULL GROUP BY ALL ORDER BY ALL",
    """
    SELECT cdn_region, count(*), sum(data), quantile_disc(data, [0.5, 0.95])
    FROM (SELECT cdn_region, session, sum(bytes) AS data FROM plays WHERE session IS NOT NULL GROUP BY ALL)
    GROUP BY cdn_region ORDER BY cdn_region
    """,
]

database = duckdb.connect(sys.argv[2])
database.execute("CREATE TABLE plays AS SELECT * FROM read_csv(?)", [sys.argv[1]])
for threads in (1, 2):
    database.execute(f"SET threads = {threads}")
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        for query in QUERIES:
            database.execute(query).fetchall()
        seconds.append(time.perf_counter() - start)
    print(statistics.median(seconds))
