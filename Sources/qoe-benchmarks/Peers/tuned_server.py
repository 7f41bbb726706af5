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
# No controls; the value of a dimension does not begin with a parenthesis.
Plain = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
Word = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^(\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$")]


class ErrorCode(Struct):
    domain: Word
    code: int | Plain


class Context(Struct, frozen=True):
    sessionId: Plain | None = None
    cdn: Word | None = None
    cdnRegion: Word | None = None
    network: Word | None = None
    source: Word | None = None
    appVersion: Word | None = None
    osVersion: Word | None = None
    deviceModel: Word | None = None
    player: Word | None = None
    tags: dict[str, Word] | None = None


class Play(Struct, kw_only=True, omit_defaults=True):
    """An event as it is sent, and as the archive keeps it: with the request's defaults and what the server decided."""

    videoId: Annotated[str, Meta(min_length=1, max_length=128)]
    stalls: Count
    stalledMs: Milliseconds
    watchedMs: Milliseconds
    startupMs: Startup | None = None
    avgBitrate: Annotated[float, Meta(le=1e9)] | None = None
    error: ErrorCode | Word | None = None
    playId: uuid.UUID | None = None
    ageMs: Annotated[int, Meta(ge=0)] | None = None
    bytes: Annotated[int, Meta(ge=0, le=1 << 40)] | None = None
    memoryBytes: Annotated[int, Meta(ge=0)] | None = None
    waitedMs: Startup | None = None
    accessLogStartupMs: Startup | None = None
    attempt: Annotated[int, Meta(ge=1, le=100)] | None = None
    sessionId: Plain | None = None
    cdn: Word | None = None
    cdnRegion: Word | None = None
    network: Word | None = None
    source: Word | None = None
    appVersion: Word | None = None
    osVersion: Word | None = None
    deviceModel: Word | None = None
    player: Word | None = None
    tags: dict[str, Word] | None = None
    endedAt: int = 0
    receivedAt: int = 0


class Batch(Struct):
    """Events are judged one by one, so that a bad one is rejected alone."""

    events: list[msgspec.Raw]
    context: Context = Context()
    schemaVersion: int = 1


decode_batch = msgspec.json.Decoder(Batch).decode
decode_play = msgspec.json.Decoder(Play).decode
encoder = msgspec.json.Encoder()
MONTH = 30 * 86_400_000
DEFAULTS = Context.__struct_fields__


def lines(batch: Batch, now: int) -> tuple[bytes, bytes, list]:
    """The archive's lines, the quarantine's lines, and what is wrong with the events in those."""
    defaults = [(name, value) for name in DEFAULTS if (value := getattr(batch.context, name)) is not None]
    plays, rejected, faults = [], [], []
    for index, raw in enumerate(batch.events):
        try:
            play = decode_play(raw)
            if play.stalledMs > play.watchedMs or (play.stalledMs and not play.stalls):
                raise msgspec.ValidationError("stalledMs")
        except msgspec.MsgspecError as error:
            faults.append({"index": index, "message": str(error)})
            rejected.append({"receivedAt": now, "index": index, "raw": bytes(raw).decode(errors="replace")})
            continue
        for name, value in defaults:
            if getattr(play, name) is None:
                setattr(play, name, value)
        play.receivedAt = now
        play.endedAt = now - play.ageMs if play.ageMs is not None and play.ageMs <= MONTH else now
        plays.append(play)
    return encoder.encode_lines(plays), encoder.encode_lines(rejected), faults


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
                rows.append(self.row(decode_play(line)))
            rows.sort(key=lambda row: row[:2])
            database.execute("BEGIN IMMEDIATE")
            database.executemany(insert, rows)
            database.execute("INSERT OR REPLACE INTO place VALUES (1, ?)", (place,))
            database.execute("COMMIT")
            self.place = place

    @staticmethod
    def row(play: Play) -> tuple:
        error = play.error
        if isinstance(error, ErrorCode):
            error = f"{error.domain}#{error.code}"
        return (
            play.endedAt // 3_600_000, play.playId.bytes if play.playId else os.urandom(16), play.endedAt,
            play.receivedAt, play.videoId, play.sessionId, play.cdn, play.cdnRegion, play.network, play.appVersion,
            play.deviceModel, play.startupMs, play.stalls, play.stalledMs, play.watchedMs, play.avgBitrate, play.bytes,
            play.memoryBytes, play.waitedMs, play.accessLogStartupMs, error,
        )


data = os.environ["PEER_DATA"]
log = os.path.join(data, "plays.ndjson.gz")
archive = Archive(log)
quarantine = Archive(os.path.join(data, "rejected.ndjson.gz"))
loader = Loader(archive, log, os.path.join(data, "plays.sqlite"))
app = FastAPI()


@app.post("/v1/playback-events")
async def take(request: Request) -> Response:
    try:
        batch = decode_batch(await request.body())
    except msgspec.MsgspecError as error:
        return Response(encoder.encode({"error": str(error)}), 400, media_type="application/json")
    plays, rejected, faults = lines(batch, time.time_ns() // 1_000_000)
    loop = asyncio.get_running_loop()
    for target, text in ((quarantine, rejected), (archive, plays)):
        if text:
            durable = loop.create_future()
            target.waiting.put((text, durable, loop))
            await durable
    body = encoder.encode({"accepted": len(batch.events) - len(faults), "rejected": faults})
    return Response(body, 202, media_type="application/json")


@app.get("/lag")
async def lag() -> Response:
    return Response(b'{"bytes": %d}' % (archive.size - loader.place), media_type="application/json")
