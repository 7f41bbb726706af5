"""What a page has seen of a video becomes the truth of its plays: sets of time, cut from each other, and no state machine.

Times are ms of the page's clock. `stood` is what the picture itself says: how long it stood still between the first
movement and the end of a play, pauses and seeks left out, and how often it did so for 200 ms or more.
"""


def plays(seen, asks="play"):
    """The plays of a page that has left; `asks` is the event with which they begin."""
    events = [(name, time) for name, time, _ in seen["events"]] + [
        ("shown" if shown else "hidden", time) for shown, time in seen["visible"]] + [("left", seen["left"])]
    events.sort(key=lambda event: event[1])
    result, begun = [], None
    for index, (name, time) in enumerate(events):
        if begun is None:
            if name == asks and not hidden(events[:index]) or name == "playing":
                begun = index
            continue
        so_far = events[begun:index + 1]
        has_started = any(name == "playing" for name, _ in so_far)
        is_over = name in ("ended", "error", "left") or name == "emptied" and has_started
        # An engine that gives up lets the buffer play to its end.
        is_over = is_over or any(name == "fatal" for name, _ in so_far) and (not has_started or name == "waiting")
        # Away, and the picture stands: paused or waiting.
        if hidden(events[:index + 1]) and name != "ended":
            last = [name for name, _ in so_far if name in ("play", "playing", "waiting", "pause")][-1]
            is_over = is_over or last != "playing" and not comes(events[index + 1:], "ended", time + 50)
        if is_over:
            before = result[-1]["end"] if result else None
            name = "fatal" if any(name == "fatal" for name, _ in so_far) and name != "left" else name
            result.append(play(seen, so_far, name, before))
            begun = None
    return result


def hidden(events):
    return [name for name, _ in events if name in ("shown", "hidden")][-1:] == ["hidden"]


def comes(events, wanted, until):
    return any(name == wanted and time <= until for name, time in events)


def play(seen, events, end, before):
    first, last = events[0][1], events[-1][1]
    started = next((time for name, time in events if name == "playing"), None)
    paused = spans(events, "pause", ("play", "playing"), last)
    sought = seeks(events, last)
    result = {"end": end, "measured": events[0][0] != "playing" and before in (None, "error", "emptied", "fatal")}
    if started is None:
        return result | {"waitedMs": length([(first, last)], paused), "stalls": 0, "stalledMs": 0, "watchedMs": 0}
    waits = [wait for wait in spans(events, "waiting", ("playing", "pause"), last)
             if started <= wait[0] < last and not any(touches(wait, seek) for seek in sought)]
    return result | {
        "startupMs": length([(first, started)], paused), "watchedMs": length([(started, last)], paused + sought),
        "stalls": len(waits), "stalledMs": length(waits, paused + sought),
        "stood": stood(seen["samples"], started, last)}


def spans(events, begins, ends, last):
    """The stretches from one event to the next of others."""
    result, since = [], None
    for name, time in events:
        if name == begins and since is None:
            since = time
        elif name in ends and since is not None:
            result.append((since, time))
            since = None
    return result + ([(since, last)] if since is not None else [])


def seeks(events, last):
    """From each seek to its end, or, where it had to wait for data, until something plays."""
    result = []
    for since, arrived in spans(events, "seeking", ("seeked",), last):
        waits = any(name == "waiting" and since <= time <= arrived + 300 for name, time in events)
        plays = next((time for name, time in events if name in ("playing", "pause") and time >= arrived), last)
        result.append((since, plays if waits else arrived))
    return result


def touches(one, other):
    return one[0] <= other[1] and other[0] <= one[1]


def length(these, less):
    """ms in these stretches and in none of the others, to the microsecond."""
    edges = sorted({edge for stretch in these + less for edge in stretch})
    inside = lambda stretches, middle: any(since <= middle <= until for since, until in stretches)
    return round(sum(
        until - since for since, until in zip(edges, edges[1:])
        if inside(these, (since + until) / 2) and not inside(less, (since + until) / 2)), 3)


def is_doubtful(plays):
    """Whether the machine was too busy for the page to see well: the picture contradicts the events, or nobody looked."""
    return any(
        abs(play["stood"]["ms"] - play["stalledMs"]) > 250 or play["stood"]["longestGapMs"] > 200
        for play in plays if "stood" in play)


def stood(samples, first, last):
    still, times, longest_gap, current = 0, 0, 0, 0
    for (before, position, _), (now, next_position, rests) in zip(samples, samples[1:]):
        if not first <= before <= now <= last:
            continue
        longest_gap = max(longest_gap, now - before)
        current = current + now - before if position == next_position and not rests else 0
        if current:
            times += 200 <= current < 200 + now - before
        still += now - before if position == next_position and not rests else 0
    return {"ms": round(still), "times": times, "longestGapMs": round(longest_gap)}
