"""pandas' time for four plain aggregates by region over a CSV file of plays, without intervals.

python pandas_report.py PLAYS.csv: prints the seconds that reading takes, then those of the aggregates (median of three).
"""

import statistics
import sys
import time

import pandas

start = time.perf_counter()
plays = pandas.read_csv(sys.argv[1], dtype={"cdn_region": "category"})
print(time.perf_counter() - start)
seconds = []
for _ in range(3):
    start = time.perf_counter()
    groups = plays.groupby("cdn_region", observed=True)
    groups["startup_ms"].quantile([0.5, 0.95], interpolation="lower")
    sums = groups[["stalled_ms", "watched_ms"]].sum()
    sums["stalled_ms"] / sums["watched_ms"]
    groups["error"].count() / groups.size()
    plays.groupby(["cdn_region", "session"], observed=True)["bytes"].sum().groupby("cdn_region", observed=True).mean()
    seconds.append(time.perf_counter() - start)
print(statistics.median(seconds))
