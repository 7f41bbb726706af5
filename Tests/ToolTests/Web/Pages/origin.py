"""An origin for a player's test: pages, players and a clip whose segments come as late as the address says.

/clip/RULES/FILE serves a file of the clip; RULES are joined with commas:
    hold=N:MS    the first answer for segment N waits so long        rate=BYTES   so many bytes a second
    fail=N:CODE  every answer for segment N has this status          last=N       the playlists end with segment N
    only=N       the main playlist has this bitrate alone
POST /truth/NAME takes what a page has seen.
"""
import http.server
import json
import os
import re
import threading
import time

TYPES = {".html": "text/html", ".js": "text/javascript", ".m3u8": "application/vnd.apple.mpegurl",
         ".m4s": "video/mp4", ".mp4": "video/mp4"}


class Origin(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, pages, players):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages, self.players = pages, players
        self.truths, self.held, self.lock = {}, set(), threading.Condition()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def truth(self, name, seconds):
        """What the page of this name has seen, once it has left."""
        with self.lock:
            self.lock.wait_for(lambda: name in self.truths, seconds)
            return self.truths.pop(name, None)

    def handle_error(self, request, address):
        """Players hang up when they change their mind."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            self.server.truths[self.path.rsplit("/", 1)[1]] = json.loads(body)
            self.server.lock.notify_all()
        self.answer(204, b"")

    def do_GET(self):
        path = self.path.split("?")[0]
        if not path.startswith("/clip/"):
            folder = self.server.pages if path.startswith("/pages/") else self.server.players
            return self.serve(os.path.join(folder, os.path.basename(path)), {})
        _, _, rules, file = path.split("/", 3)
        rules = dict(rule.split("=") for rule in rules.split(",") if "=" in rule)
        segment = re.match(r".*/(\d+)\.m4s$", file)
        if segment:
            number = segment[1]
            if rules.get("fail", "").split(":")[0] == number:
                return self.answer(int(rules["fail"].split(":")[1]), b"")
            for hold in rules.get("hold", "").split(";"):
                self.hold(path.split("/")[2] + self.headers.get("Referer", ""), number, hold)
        self.serve(os.path.join(self.server.players, "clip", file), rules)

    def hold(self, run, number, hold):
        held, _, ms = hold.partition(":")
        if held != number:
            return
        with self.server.lock:
            is_first = (run, number) not in self.server.held
            self.server.held.add((run, number))
        if is_first:
            time.sleep(int(ms) / 1000)

    def serve(self, file, rules):
        if not os.path.isfile(file):
            return self.answer(404, b"")
        with open(file, "rb") as opened:
            body = opened.read()
        if "last" in rules and file.endswith("index.m3u8"):
            end = body.index(b"\n%s.m4s\n" % rules["last"].encode()) + len(rules["last"]) + 6
            body = body[:end] + b"#EXT-X-ENDLIST\n"
        if "only" in rules and file.endswith("main.m3u8"):
            body = b"\n\n".join(part for part in body.split(b"\n\n") if b"v%d/" % (1 - int(rules["only"])) not in part)
        wanted = re.match(r"bytes=(\d+)-(\d*)$", self.headers.get("Range", ""))
        if not wanted:
            return self.answer(200, body, file, rules)
        first, last = int(wanted[1]), int(wanted[2] or len(body) - 1)
        extra = {"Content-Range": f"bytes {first}-{last}/{len(body)}"}
        self.answer(206, body[first:last + 1], file, rules, extra)

    def answer(self, status, body, file="", rules={}, extra={}):
        self.send_response(status)
        self.send_header("Content-Type", TYPES.get(os.path.splitext(file)[1], "text/plain"))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Cache-Control", "no-store")
        for name, value in extra.items():
            self.send_header(name, value)
        self.end_headers()
        rate = int(rules.get("rate", 0)) if file.endswith((".m4s", ".mp4")) else 0
        if not rate:
            return self.wfile.write(body)
        piece = max(1, rate // 20)
        for start in range(0, len(body), piece):
            self.wfile.write(body[start:start + piece])
            time.sleep(0.05)
