"""DuckDB's time for four plain aggregates by region over a CSV file of plays, without intervals.

python duckdb_report.py PLAYS.csv DATABASE: loads once, then prints the seconds with one thread and with two (medians of
five), and what came out by region.
"""

import statistics
import sys
import time

import duckdb

QUERY = """
    SELECT cdn_region, count(*), quantile_disc(startup_ms, [0.5, 0.95]),
        sum(stalled_ms) / sum(watched_ms), count(error) / count(*), sum(bytes) / count(DISTINCT session)
    FROM plays GROUP BY cdn_region ORDER BY cdn_region
"""

database = duckdb.connect(sys.argv[2])
database.execute("CREATE TABLE plays AS SELECT * FROM read_csv(?)", [sys.argv[1]])
for threads in (1, 2):
    database.execute(f"SET threads = {threads}")
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        database.execute(QUERY).fetchall()
        seconds.append(time.perf_counter() - start)
    print(statistics.median(seconds))
