"""The same promises as ours in Python, tuned: msgspec judges, groups of requests become one gzip member that is synced
before their 202, and a loader thread follows the archive into SQLite, each play once.

uvicorn tuned_server:app; the data directory is in PEER_DATA.
"""

import asyncio
import os
import queue
import sqlite3
import threading
import time
import uuid
import zlib
from typing import Annotated

import msgspec
from fastapi import FastAPI, Request, Response
from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0, le=100_000)]
Milliseconds = Annotated[int, Meta(ge=0, le=86_400_000)]
Startup = Annotated[int, Meta(ge=0, le=3_600_000)]
Text = Annotated[str, Meta(min_length=1, max_length=64)]


class ErrorCode(Struct):
    domain: Text
    code: int | str


class Context(Struct, frozen=True):
    sessionId: Text | None = None
    cdn: Text | None = None
    cdnRegion: Text | None = None
    network: Text | None = None
    source: Text | None = None
    appVersion: Text | None = None
    osVersion: Text | None = None
    deviceModel: Text | None = None
    player: Text | None = None
    tags: dict[str, Text] | None = None


class Event(Struct, kw_only=True, omit_defaults=True):
    videoId: Annotated[str, Meta(min_length=1, max_length=128)]
    stalls: Count
    stalledMs: Milliseconds
    watchedMs: Milliseconds
    startupMs: Startup | None = None
    avgBitrate: Annotated[float, Meta(le=1e9)] | None = None
    error: ErrorCode | str | None = None
    playId: uuid.UUID | None = None
    ageMs: Annotated[int, Meta(ge=0)] | None = None
    bytes: Annotated[int, Meta(ge=0, le=1 << 40)] | None = None
    memoryBytes: Annotated[int, Meta(ge=0)] | None = None
    waitedMs: Startup | None = None
    accessLogStartupMs: Startup | None = None
    attempt: Annotated[int, Meta(ge=1, le=100)] | None = None
    sessionId: Text | None = None
    cdn: Text | None = None
    cdnRegion: Text | None = None
    network: Text | None = None
    source: Text | None = None
    tags: dict[str, Text] | None = None


class Batch(Struct):
    events: list[Event]
    context: Context = Context()
    schemaVersion: int = 1


class Kept(Struct):
    """A request as the archive keeps it: a line each."""

    receivedAt: int
    context: Context
    events: list[Event]


decoder = msgspec.json.Decoder(Batch)
encoder = msgspec.json.Encoder()


class Archive:
    """Takes all that waits, writes it as one gzip member, syncs, and tells those who wait."""

    def __init__(self, path: str):
        self.file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        self.size = os.fstat(self.file).st_size
        self.waiting: queue.SimpleQueue = queue.SimpleQueue()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            group = [self.waiting.get()]
            while len(group) < 256:
                try:
                    group.append(self.waiting.get_nowait())
                except queue.Empty:
                    break
            packer = zlib.compressobj(1, zlib.DEFLATED, 31)
            member = packer.compress(b"".join(line for line, _, _ in group)) + packer.flush()
            os.write(self.file, member)
            os.fdatasync(self.file)
            self.size += len(member)
            loop = group[0][2]
            loop.call_soon_threadsafe(self.finish, [future for _, future, _ in group])

    @staticmethod
    def finish(futures):
        for future in futures:
            if not future.done():
                future.set_result(None)


class Loader:
    """Follows the archive into SQLite; the place goes in the same transaction as the rows."""

    def __init__(self, archive: Archive, log: str, database: str):
        self.archive = archive
        self.log = log
        self.database = database
        self.place = 0
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        database = sqlite3.connect(self.database, isolation_level=None)
        database.execute("PRAGMA page_size=16384")
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("PRAGMA cache_size=-65536")
        database.execute(
            """CREATE TABLE IF NOT EXISTS plays (
                hour INTEGER, play_id BLOB, ended_at INTEGER, received_at INTEGER, video_id TEXT, session_id TEXT,
                cdn TEXT, cdn_region TEXT, network TEXT, app_version TEXT, device_model TEXT, startup_ms INTEGER,
                stalls INTEGER, stalled_ms INTEGER, watched_ms INTEGER, avg_bitrate INTEGER, bytes INTEGER,
                memory_bytes INTEGER, waited_ms INTEGER, log_startup_ms INTEGER, error_code TEXT,
                PRIMARY KEY (hour, play_id)) WITHOUT ROWID"""
        )
        database.execute("CREATE TABLE IF NOT EXISTS place (id INTEGER PRIMARY KEY, offset INTEGER)")
        insert = "INSERT OR IGNORE INTO plays VALUES (" + ",".join("?" * 21) + ")"
        kept = msgspec.json.Decoder(Kept)
        log = open(self.log, "rb")
        unpacker, rest = zlib.decompressobj(31), b""
        while True:
            bytes_read = log.read(1 << 20)
            if not bytes_read:
                time.sleep(0.05)
                continue
            data = rest
            place = self.place + len(bytes_read)
            while bytes_read:
                data += unpacker.decompress(bytes_read)
                bytes_read = unpacker.unused_data
                if unpacker.eof:
                    unpacker = zlib.decompressobj(31)
            lines = data.split(b"\n")
            rest = lines.pop()
            rows = []
            for line in lines:
                self.add(kept.decode(line), rows)
            rows.sort(key=lambda row: row[:2])
            database.execute("BEGIN IMMEDIATE")
            database.executemany(insert, rows)
            database.execute("INSERT OR REPLACE INTO place VALUES (1, ?)", (place,))
            database.execute("COMMIT")
            self.place = place

    @staticmethod
    def add(request: Kept, rows: list):
        context, now = request.context, request.receivedAt
        for event in request.events:
            ended = now - (event.ageMs or 0)
            error = event.error
            if isinstance(error, ErrorCode):
                error = f"{error.domain}#{error.code}"
            rows.append(
                (
                    ended // 3_600_000, event.playId.bytes if event.playId else os.urandom(16), ended, now,
                    event.videoId, event.sessionId or context.sessionId, event.cdn or context.cdn,
                    event.cdnRegion or context.cdnRegion, event.network or context.network, context.appVersion,
                    context.deviceModel, event.startupMs, event.stalls, event.stalledMs, event.watchedMs,
                    event.avgBitrate, event.bytes, event.memoryBytes, event.waitedMs, event.accessLogStartupMs, error,
                )
            )


data = os.environ["PEER_DATA"]
log = os.path.join(data, "plays.ndjson.gz")
archive = Archive(log)
loader = Loader(archive, log, os.path.join(data, "plays.sqlite"))
app = FastAPI()


@app.post("/v1/playback-events")
async def take(request: Request) -> Response:
    try:
        batch = decoder.decode(await request.body())
    except msgspec.MsgspecError as error:
        return Response(encoder.encode({"error": str(error)}), 400, media_type="application/json")
    line = encoder.encode(Kept(time.time_ns() // 1_000_000, batch.context, batch.events)) + b"\n"
    loop = asyncio.get_running_loop()
    durable = loop.create_future()
    archive.waiting.put((line, durable, loop))
    await durable
    return Response(b'{"accepted": %d, "rejected": []}' % len(batch.events), 202, media_type="application/json")


@app.get("/lag")
async def lag() -> Response:
    return Response(b'{"bytes": %d}' % (archive.size - loader.place), media_type="application/json")
