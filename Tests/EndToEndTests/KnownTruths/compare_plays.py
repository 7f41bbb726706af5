"""Compares groups of plays as the definitions say it, straight from the plays: sessions are added up one by one, and the
distributions are integrals. It shares nothing with the program whose files it checks.

    compare_plays.py INPUT.ndjson rest|previous DIMENSION [--adjust NETWORK,…] [--by-day] [--day YYYY-MM-DD] [--target MS]

INPUT has a line {"receivedAt": ms, "body": {"context": {…}, "events": […]}} a request, whose plays are dated by it alone.
Prints compare.csv.
"""

import argparse
import collections
import datetime
import json
import math

METRICS = [
    "startup_p50_ms", "startup_p95_ms", "startup_within_target_ratio", "rebuffer_ratio", "stalls_per_hour",
    "plays_with_stall_ratio", "failure_ratio", "exits_before_start_ratio",
]
SHARES = {"startup_within_target_ratio", "plays_with_stall_ratio", "failure_ratio", "exits_before_start_ratio"}
JUDGED = {"startup_within_target_ratio", "rebuffer_ratio", "failure_ratio", "exits_before_start_ratio"}
COLUMNS = {"cdnRegion": "cdn_region", "appVersion": "app_version", "cdn": "cdn", "network": "network"}


# Distributions

def beta_cdf(x, a, b):
    """The regularized incomplete beta function, by tanh-sinh quadrature of the density."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > a / (a + b):
        return 1 - beta_cdf(1 - x, b, a)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    total, step = 0.0, 1 / 64
    for index in range(-400, 401):
        u = index * step
        bend = math.pi / 2 * math.sinh(u)
        if abs(bend) > 340:
            continue
        # A point between 0 and x: x ÷ (1 + e^(−2·bend)).
        share = 1 / (1 + math.exp(-2 * bend))
        point = x * share
        weight = x * math.pi * math.cosh(u) * share / (1 + math.exp(2 * bend))
        if point <= 0 or weight <= 0:
            continue
        exponent = scale + (a - 1) * math.log(point) + (b - 1) * math.log1p(-point)
        total += math.exp(exponent) * weight * step if exponent > -700 else 0
    return total


def student_both(t, freedom):
    return beta_cdf(freedom / (freedom + t * t), freedom / 2, 0.5)


def student_quantile(freedom):
    low, high = 0.0, 1e3
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if student_both(middle, freedom) > 0.05 else (low, middle)
    return (low + high) / 2


# Plays

def plays(path):
    alone = 0
    for line in open(path, encoding="utf-8"):
        request = json.loads(line)
        for event in request["body"]["events"]:
            play = {**{k: v for k, v in request["body"].get("context", {}).items() if v}, **event}
            if play.get("source") == "download":
                continue
            play["time"] = request["receivedAt"]
            if not play.get("sessionId"):
                alone += 1
                play["sessionId"] = ("alone", alone)
            yield play


def pair(play, metric, target):
    """x and y of the bad outcome, or None where the metric is not about the play."""
    startup, watched = play.get("startupMs"), play["watchedMs"]
    started = startup is not None or watched > 0
    failed = play.get("error") is not None
    if metric == "startup_within_target_ratio":
        return None if startup is None else (1, int(startup > target))
    if metric in ("rebuffer_ratio", "stalls_per_hour"):
        return (watched, play["stalledMs" if metric == "rebuffer_ratio" else "stalls"]) if started else None
    if metric == "plays_with_stall_ratio":
        return (1, int(play["stalls"] > 0)) if started else None
    if metric == "failure_ratio":
        return 1, int(failed)
    waited = play.get("waitedMs")
    return 1, int(not started and not failed and (waited is None or waited >= 1000))


class Side:
    """One side of a comparison: (x, y) a session."""

    def __init__(self, pairs):
        self.pairs = pairs
        self.x, self.y = sum(x for x, _ in pairs.values()), sum(y for _, y in pairs.values())
        self.xx, self.yy = sum(x * x for x, _ in pairs.values()), sum(y * y for _, y in pairs.values())
        self.xy = sum(x * y for x, y in pairs.values())
        self.plain = None

    def sessions(self):
        return self.x * self.x / self.xx if self.xx else 0

    def event_sessions(self):
        return self.y * self.y / self.yy if self.yy else 0

    def rate(self):
        return self.y / self.x if self.x else (math.inf if self.y else 0)

    def variance(self):
        if self.sessions() < 1 + 1e-12 or self.event_sessions() < 1 + 1e-12:
            return 0
        x, y = 1 / self.sessions(), 1 / self.event_sessions()
        v = x + y - 2 * self.xy / (self.x * self.y)
        return 0 if v < 1e-12 * (x + y) else v / ((1 - x) * (1 - y))

    def is_few(self):
        return not self.y or self.y * self.y < 3 * self.yy * (1 - 1e-12)


def test(one, other):
    """ratio, low, high, p."""
    if not one.y and not other.y:
        return None, None, None, None
    ratio = one.rate() / other.rate() if other.y and other.x else None
    if one.is_few() or other.is_few():
        if one.rate() == other.rate():
            return ratio, None, None, 1
        top, bottom = (one, other) if one.rate() > other.rate() else (other, one)
        a, b = top.plain or top, bottom.plain or bottom
        share = a.x / (a.x + b.x)
        p = 2 * beta_cdf(share, a.event_sessions(), b.event_sessions() + 1)
        return ratio, None, None, min(1, p)
    va, vb = one.variance(), other.variance()
    c = sum(
        (one.pairs[s][1] / one.y - one.pairs[s][0] / one.x) * (other.pairs[s][1] / other.y - other.pairs[s][0] / other.x)
        for s in one.pairs.keys() & other.pairs.keys())
    v = va + vb - 2 * c
    if va == vb == 0 or v <= 0 or one.sessions() < 1 + 1e-12 or other.sessions() < 1 + 1e-12 or ratio is None:
        return ratio, None, None, 1
    fa, fb = (max(1, min(s.sessions(), s.event_sessions()) - 1) for s in (one, other))
    f = (va + vb) ** 2 / (va ** 2 / fa + vb ** 2 / fb)
    reach = student_quantile(f) * math.sqrt(v)
    return ratio, ratio * math.exp(-reach), ratio * math.exp(reach), student_both(abs(math.log(ratio)) / math.sqrt(v), f)


def side(plays, metric, target, good=False):
    pairs = collections.defaultdict(lambda: (0, 0))
    for play in plays:
        got = pair(play, metric, target)
        if got:
            x, y = pairs[play["sessionId"]]
            pairs[play["sessionId"]] = (x + got[0], y + (got[0] - got[1] if good else got[1]))
    return Side(dict(pairs))


def is_judgeable(metric, own, other, own_is_lower):
    if own.sessions() < 20 or other.sessions() < 20:
        return False
    if metric != "rebuffer_ratio" or own_is_lower is None:
        return True
    return (own if own_is_lower else other).sessions() >= 100


def percentile(plays, percent):
    values = sorted(p["startupMs"] for p in plays if p.get("startupMs") is not None)
    return values[(len(values) * percent + 99) // 100 - 1] if values else None


def adjusted(own_plays, other_plays, metric, target, good, strata, plain_own, plain_other):
    """matched, reference, ratio, low, high, p, is_higher (None: nothing used)."""
    key = lambda play: tuple(play.get(name) or "(unknown)" for name in strata)
    cut = lambda plays: {
        k: side([p for p in plays if key(p) == k], metric, target, good) for k in {key(p) for p in plays}}
    own, other = cut(own_plays), cut(other_plays)
    with_base = lambda s: sum(1 for x, _ in s.pairs.values() if x > 0)
    used = [k for k in own.keys() & other.keys() if with_base(own[k]) >= 5 and with_base(other[k]) >= 5]
    base = sum(own[k].x for k in used)
    matched = base / plain_own.x
    if not base:
        return matched, None, None, None, None, None, None
    mine, theirs = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])
    for k in sorted(used):
        r, w = other[k].y / other[k].x, own[k].x / other[k].x
        for session, (x, y) in own[k].pairs.items():
            mine[session][0] += r * x
            mine[session][1] += y
        for session, (x, y) in other[k].pairs.items():
            theirs[session][0] += w * r * x
            theirs[session][1] += w * y
    sides = []
    for pairs, plays in ((mine, own_plays), (theirs, other_plays)):
        one = Side({s: tuple(p) for s, p in pairs.items()})
        one.plain = side([p for p in plays if key(p) in used], metric, target, good)
        sides.append(one)
    expected = sides[0].x / base
    result = test(*(sides[::-1] if good else sides))
    higher = sides[0].rate() < sides[1].rate() if good else sides[0].rate() > sides[1].rate()
    return (matched, expected, *result, higher)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("input")
    parser.add_argument("reference", choices=["rest", "previous"])
    parser.add_argument("dimension")
    parser.add_argument("--adjust", default="")
    parser.add_argument("--by-day", action="store_true")
    parser.add_argument("--period", help="FROM/TO, or a day with --by-day")
    parser.add_argument("--target", type=int, default=1000)
    words = parser.parse_args()
    strata = [name for name in words.adjust.split(",") if name]
    day = lambda play: datetime.datetime.fromtimestamp(play["time"] / 1000, datetime.timezone.utc).date()
    value = lambda play: play.get(words.dimension) or "(unknown)"
    everything = list(plays(words.input))
    days = sorted({day(p) for p in everything})
    first, last = (datetime.date.fromisoformat(d) for d in words.period.split("/")) if words.period else (days[0], days[-1])
    periods = [(d, d, str(d)) for d in days if first <= d <= last] if words.by_day else [(first, last, f"{first}/{last}")]

    rows, tests, adjusted_tests = [], [], []
    for begin, end, name in periods:
        here = [p for p in everything if begin <= day(p) <= end]
        back = datetime.timedelta(days=7 if words.by_day else (end - begin).days + 1)
        before = [p for p in everything if begin - back <= day(p) <= end - back]
        sizes = collections.Counter(value(p) for p in here)
        groups = sorted(sizes, key=lambda g: (-sizes[g], g.encode()))
        period_rows = {}
        for group in groups:
            own_plays = [p for p in here if value(p) == group]
            other_plays = (
                [p for p in here if value(p) != group] if words.reference == "rest"
                else [p for p in before if value(p) == group])
            for metric in METRICS:
                row = dict.fromkeys(
                    ["value", "reference", "difference", "ratio", "ratio_low", "ratio_high", "p", "sessions",
                     "reference_sessions", "verdict", "matched_ratio", "adjusted_reference", "adjusted_ratio",
                     "adjusted_ratio_low", "adjusted_ratio_high", "adjusted_p", "adjusted_verdict"])
                row.update(period=name, group=group, metric=metric)
                rows.append(row)
                if metric.endswith("_ms"):
                    percent = int(metric[9:11])
                    row["value"], row["reference"] = percentile(own_plays, percent), percentile(other_plays, percent)
                    if row["value"] is not None and row["reference"] is not None:
                        row["difference"] = row["value"] - row["reference"]
                    continue
                own, other = side(own_plays, metric, words.target), side(other_plays, metric, words.target)
                judged = metric in JUDGED
                row["verdict"] = "too few sessions" if judged else None
                shown = lambda rate: (
                    1 - rate if metric == "startup_within_target_ratio" else
                    rate * 3_600_000 if metric == "stalls_per_hour" else rate)
                if own.x:
                    row["value"], row["sessions"] = shown(own.rate()), math.floor(own.sessions() + 1e-9)
                if other.x:
                    row["reference_sessions"] = math.floor(other.sessions() + 1e-9)
                if not own.x or not other.x:
                    continue
                row["reference"] = shown(other.rate())
                row["difference"] = row["value"] - row["reference"]
                good = metric in SHARES and 2 * (own.y + other.y) > own.x + other.x
                one, two = own, other
                if good:
                    one, two = (side(p, metric, words.target, True) for p in (own_plays, other_plays))
                row["ratio"], row["ratio_low"], row["ratio_high"], row["p"] = test(*((two, one) if good else (one, two)))
                higher = one.rate() < two.rate() if good else one.rate() > two.rate()
                if judged and is_judgeable(metric, own, other, None if row["p"] is None else not higher):
                    row["verdict"] = "no difference shown"
                    mirror = words.reference == "rest" and len(groups) == 2 and group == groups[1]
                    if mirror:
                        row["mirror"] = period_rows[groups[0], metric]
                    elif row["p"] is not None:
                        tests.append((row["p"], row, higher, "verdict"))
                elif judged and words.reference == "rest" and len(groups) == 2 and group == groups[1]:
                    row["mirror"] = period_rows[groups[0], metric]
                period_rows[group, metric] = row
                if not strata:
                    continue
                matched, expected, ratio, low, high, p, upper = adjusted(
                    own_plays, other_plays, metric, words.target, good, strata, own, other)
                row["matched_ratio"] = matched
                if expected is not None:
                    bad = 1 - expected if good else expected
                    row["adjusted_reference"] = shown(bad)
                row["adjusted_ratio"], row["adjusted_ratio_low"], row["adjusted_ratio_high"], row["adjusted_p"] = (
                    ratio, low, high, p)
                if judged:
                    row["adjusted_verdict"] = "too few sessions"
                    if is_judgeable(metric, own, other, None if p is None else not upper):
                        row["adjusted_verdict"] = "too little in common" if matched < 0.8 else "no difference shown"
                        if matched >= 0.8 and p is not None:
                            adjusted_tests.append((p, row, upper, "adjusted_verdict"))

    for family in (tests, adjusted_tests):
        holds = True
        for rank, (p, row, higher, column) in enumerate(sorted(family, key=lambda t: t[0])):
            holds = holds and p <= 0.05 / (len(family) - rank)
            if holds or p < 0.05:
                row[column] = ("" if holds else "perhaps ") + ("worse" if higher else "better")
    turned = {"worse": "better", "better": "worse", "perhaps worse": "perhaps better", "perhaps better": "perhaps worse"}
    for row in rows:
        if "mirror" in row:
            row["verdict"] = turned.get(row["mirror"]["verdict"], row["mirror"]["verdict"])

    plain = ["value", "reference", "difference", "ratio", "ratio_low", "ratio_high", "p", "sessions", "reference_sessions",
             "verdict"]
    more = ["matched_ratio", "adjusted_reference", "adjusted_ratio", "adjusted_ratio_low", "adjusted_ratio_high",
            "adjusted_p", "adjusted_verdict"]
    column = COLUMNS.get(words.dimension, words.dimension)
    header = ["period", column, "metric", *plain, *(["adjusted_by", *more] if strata else []), "definitions"]
    cell = lambda v: "" if v is None else v if isinstance(v, str) else str(v) if isinstance(v, int) else f"{v:.6f}"
    print(",".join(header))
    for row in rows:
        if row["metric"].endswith("_ms"):
            row["sessions"] = row["reference_sessions"] = None
        cells = [row["period"], row["group"], row["metric"], *(cell(row[name]) for name in plain)]
        if strata:
            cells += [";".join(COLUMNS.get(s, s) for s in strata), *(cell(row[name]) for name in more)]
        print(",".join([*cells, "2"]))


main()
