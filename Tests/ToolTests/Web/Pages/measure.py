#!/usr/bin/env python3
"""Plays a clip with adaptive players in Chromium, and prints as JSON what each page saw of its plays.

measure.py --server http://127.0.0.1:8080 --key KEY --players DIR --origin-file FILE [NAME…]
"""
import argparse
import json
import os
import sys
import time

from chromium import Chromium, Page
from origin import Origin
from truth import is_doubtful, plays

HLS, VIDEO_JS, NATIVE = "hls.js", "video.js", "none"
SCENARIOS = {}


def scenario(*players, rules="last=11", file="main.m3u8", asks="play"):
    def add(function):
        for player in players:
            name = f"{function.__name__}-{player}"
            SCENARIOS[name] = (function, player, f"/clip/{rules},player={player}/{file}", asks)
        return function
    return add


def start(page, more="{}"):
    page.run(f"bind(NAME, {more}); begin(); await until(() => seen.events.some(event => event[0] === 'playing'))")


@scenario(HLS, VIDEO_JS)
@scenario(NATIVE, file="clip.mp4")
def smooth(page):
    start(page)
    page.run("await wait(3000)")


@scenario(HLS, VIDEO_JS, rules="hold=0:1200")
def slowstart(page):
    start(page)
    page.run("await wait(1500)")


@scenario(HLS, VIDEO_JS, rules="hold=2:4000;4:4500")
def stalls(page):
    start(page)
    page.run("await until(() => video.currentTime > 9)")


@scenario(HLS, VIDEO_JS, rules="hold=8:1500")
def seek(page):
    start(page)
    page.run("""
        await wait(1000);
        video.currentTime = 16.5;
        await wait(500);
        await until(() => !video.seeking && video.currentTime > 17.5);""")


@scenario(HLS, VIDEO_JS)
def scrub(page):
    start(page)
    page.run("""
        await wait(800);
        video.pause();
        for (const to of [6, 14, 3, 9, 20, 5, 12, 7.3, 15, 10.1]) { video.currentTime = to; await wait(60); }
        video.play();
        await until(() => video.currentTime > 11.5);""")


@scenario(HLS, VIDEO_JS, rules="hold=0:2500")
def pausestart(page):
    page.run("bind(NAME); begin(); await wait(400); video.pause(); await wait(1500); video.play()")
    page.run("await until(() => video.currentTime > 1)")


@scenario(HLS, VIDEO_JS, rules="hold=0:9000")
def exitbeforestart(page):
    page.run("bind(NAME); begin(); await wait(1300)")


@scenario(HLS, VIDEO_JS)
def away(page):
    """Paused and hidden: the play is over. Back, and on: another."""
    start(page)
    page.run("await wait(1000); video.pause(); await wait(300)")
    other = Page(page.browser, "about:blank")
    page.run("await until(() => document.hidden); await wait(1200)")
    page.show()
    page.run("await until(() => !document.hidden); video.play(); await wait(1000)")
    other.close()


@scenario(HLS)
def background(page):
    """Hidden while it plays: it goes on."""
    start(page)
    page.run("await wait(500)")
    other = Page(page.browser, "about:blank")
    page.run("await until(() => document.hidden); await wait(1500)")
    page.show()
    page.run("await wait(500)")
    other.close()


@scenario(HLS, VIDEO_JS, rules="last=1")
def replay(page):
    start(page)
    page.run("await until(() => video.ended); await wait(200); video.play(); await wait(1000)")


@scenario(HLS, asks="loadstart")
@scenario(NATIVE, file="clip.mp4", rules="rate=150000", asks="loadstart")
def autoplay(page):
    page.run("video.autoplay = true; bind(NAME); attach(); load(SOURCE); await until(() => video.currentTime > 1)")


@scenario(HLS, rules="fail=2:404")
def failure(page):
    """A segment is missing: what is buffered plays to its end."""
    start(page)
    page.run("await until(() => video.readyState < 3); await wait(500)")


@scenario(HLS, VIDEO_JS, file="missing.m3u8")
def missing(page):
    page.run("bind(NAME); begin(); await until(() => seen.events.some(event => event[0] === 'fatal')); await wait(200)")


@scenario(HLS, rules="rate=400000")
def bitrates(page):
    start(page, "{ tags: { arm: 'a' } }")
    page.run("""
        setInterval(() => {
            const level = engine.levels[engine.currentLevel];
            if (level) seen.bitrates.push([performance.now(), level.bitrate]);
        }, 20);
        engine.nextLevel = 0;
        await wait(1500);
        engine.nextLevel = 1;
        await until(() => engine.currentLevel === 1);
        await wait(2000);""")


@scenario(HLS)
def clips(page):
    """The next clip in the same video and player, bound anew."""
    start(page)
    page.run("""
        await wait(1000);
        seen.events.push(["emptied", performance.now(), performance.now()]);
        bind(NAME + '-next');
        begin();
        await wait(200);
        await until(() => video.currentTime > 1);""")


def measure(browser, origin, words, name, clip):
    function, player, source, asks = SCENARIOS[name]
    page = Page(browser, f"{origin.address}/pages/watch.html?player={player}&name={clip}&key={words.key}"
                         f"&script={words.script or words.server + '/qoe-video.js'}&endpoint={words.server}/v1/playback-events")
    page.run(f"window.NAME = {json.dumps(clip)}; window.SOURCE = {json.dumps(source)}; await ready")
    function(page)
    page.close()
    seen = origin.truth(clip, 10)
    if words.keep:
        with open(os.path.join(words.keep, name + ".json"), "w") as file:
            json.dump(seen, file)
    return {"name": name, "clip": clip, "plays": plays(seen, asks), "bitrates": seen["bitrates"]}


def main():
    parser = argparse.ArgumentParser()
    for word in ("server", "key", "players"):
        parser.add_argument("--" + word, required=True)
    parser.add_argument("--script")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    words = parser.parse_args()
    origin = Origin(os.path.dirname(os.path.abspath(__file__)), words.players)
    browser = Chromium()
    try:
        for name in words.names or SCENARIOS:
            # What the page's own picture contradicts measures the machine, and is measured again.
            for clip in (name, name + "-again", name + "-once-more"):
                begun = time.time()
                measured = measure(browser, origin, words, name, clip)
                print(f"{clip} {time.time() - begun:.1f} s", file=sys.stderr)
                # In a hidden page nobody looks every 20 ms.
                if not is_doubtful(measured["plays"]) or name.startswith("background"):
                    break
            print(json.dumps(measured), flush=True)
        # The beacon of the page that was closed last is on its way.
        time.sleep(3)
    finally:
        print("\n".join(browser.console), file=sys.stderr)
        browser.stop()


main()
