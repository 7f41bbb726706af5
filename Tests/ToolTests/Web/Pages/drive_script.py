#!/usr/bin/env python3
"""Runs qoe-video.js in Chromium with a made clock: drive_script.py SCRIPT < JOBS

JOBS is a JSON array of JavaScript that may await; each one's value is printed as a line of JSON.
"""
import json
import os
import shutil
import sys
import tempfile

from chromium import Chromium, Page
from origin import Origin

folder = tempfile.mkdtemp(prefix="qoe-script-")
shutil.copy(sys.argv[1], folder + "/qoe-video.js")
origin = Origin(os.path.dirname(os.path.abspath(__file__)), folder)
browser = Chromium()
try:
    page = Page(browser, origin.address + "/pages/script.html")
    for job in json.load(sys.stdin):
        print(json.dumps(page.run(job)), flush=True)
finally:
    print("\n".join(browser.console), file=sys.stderr)
    browser.stop()
    shutil.rmtree(folder, ignore_errors=True)
