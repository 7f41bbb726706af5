"""What a team writes on a Friday: FastAPI judges the batch by a pydantic model, one SQLite transaction a request stores it.

uvicorn plain_server:app; the database's path is in PEER_DATA. A 202 means that the rows are durable.
"""

import os
import sqlite3
import time
from typing import Annotated
from uuid import UUID

from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=0, le=100_000)]
Milliseconds = Annotated[int, Field(ge=0, le=86_400_000)]
Text = Annotated[str, Field(min_length=1, max_length=64)]


class ErrorCode(BaseModel):
    domain: Text
    code: int | str


class Context(BaseModel):
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


class Event(Context):
    model_config = ConfigDict(extra="ignore")
    videoId: Annotated[str, Field(min_length=1, max_length=128)]
    stalls: Count
    stalledMs: Milliseconds
    watchedMs: Milliseconds
    startupMs: Annotated[int, Field(ge=0, le=3_600_000)] | None = None
    avgBitrate: Annotated[float, Field(le=1e9)] | None = None
    error: ErrorCode | Text | None = None
    playId: UUID | None = None
    ageMs: Annotated[int, Field(ge=0)] | None = None
    bytes: Annotated[int, Field(ge=0, le=1 << 40)] | None = None
    memoryBytes: Annotated[int, Field(ge=0)] | None = None
    waitedMs: Annotated[int, Field(ge=0, le=3_600_000)] | None = None
    accessLogStartupMs: Annotated[int, Field(ge=0, le=3_600_000)] | None = None
    attempt: Annotated[int, Field(ge=1, le=100)] | None = None


class Batch(BaseModel):
    schemaVersion: int = 1
    context: Context = Context()
    events: list[Event]


database = sqlite3.connect(os.path.join(os.environ["PEER_DATA"], "plays.sqlite"), isolation_level=None, timeout=30)
# WAL syncs each transaction with synchronous=FULL, which is what makes the 202 durable.
database.execute("PRAGMA journal_mode=WAL")
database.execute("PRAGMA synchronous=FULL")
database.execute(
    """CREATE TABLE IF NOT EXISTS plays (
        play_id BLOB PRIMARY KEY, ended_at INTEGER, received_at INTEGER, video_id TEXT, session_id TEXT, cdn TEXT,
        cdn_region TEXT, network TEXT, source TEXT, app_version TEXT, os_version TEXT, device_model TEXT, player TEXT,
        tags TEXT, startup_ms INTEGER, stalls INTEGER, stalled_ms INTEGER, watched_ms INTEGER, avg_bitrate INTEGER,
        bytes INTEGER, memory_bytes INTEGER, waited_ms INTEGER, log_startup_ms INTEGER, attempt INTEGER,
        error_code TEXT) WITHOUT ROWID"""
)
INSERT = "INSERT OR IGNORE INTO plays VALUES (" + ",".join("?" * 25) + ")"

app = FastAPI()


def row(event: Event, context: Context, now: int) -> tuple:
    error = event.error
    if isinstance(error, ErrorCode):
        error = f"{error.domain}#{error.code}"
    tags = {**(context.tags or {}), **(event.tags or {})}
    return (
        event.playId.bytes if event.playId else os.urandom(16),
        now - (event.ageMs or 0),
        now,
        event.videoId,
        event.sessionId or context.sessionId,
        event.cdn or context.cdn,
        event.cdnRegion or context.cdnRegion,
        event.network or context.network,
        event.source or context.source,
        event.appVersion or context.appVersion,
        event.osVersion or context.osVersion,
        event.deviceModel or context.deviceModel,
        event.player or context.player,
        repr(tags) if tags else None,
        event.startupMs,
        event.stalls,
        event.stalledMs,
        event.watchedMs,
        round(event.avgBitrate) if event.avgBitrate else None,
        event.bytes,
        event.memoryBytes,
        event.waitedMs,
        event.accessLogStartupMs,
        event.attempt,
        error,
    )


@app.post("/v1/playback-events", status_code=202)
async def take(batch: Batch):
    now = time.time_ns() // 1_000_000
    rows = [row(event, batch.context, now) for event in batch.events]
    database.execute("BEGIN IMMEDIATE")
    database.executemany(INSERT, rows)
    database.execute("COMMIT")
    return {"accepted": len(rows), "rejected": []}


@app.get("/lag")
async def lag():
    return {"bytes": 0}
