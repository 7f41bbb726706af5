// Measures how a <video> plays, and sends one summary a play:
//
//   qoeVideo(document.querySelector("video"), { videoId: "clip-81", writeKey: "…", engine: hls });
//
// The page MeasuringTheWeb of the documentation has the options, and says what each figure means. Nothing is kept in
// the browser, no cookie and no storage, and nothing here throws at the page.
(() => {
"use strict";

const home = document.currentScript?.src;
const SEEK_GRACE = 300, ASLEEP = 90_000, AWAY = 1_800_000, HOUR = 3_600_000, LONGEST = 86_400_000;
const ROOM = 500, BATCH = 100, BEACON = 60_000, EVERY = 30_000, LONGEST_WAIT = 600_000;
const senders = new Map(), bindings = new WeakMap(), engines = new WeakMap(), failures = new Map(), warned = new Set();
const open = new Set();  // Bindings with a play under way: one without may be collected together with its video.

const warn = text => warned.has(text) || (warned.add(text), console.warn(`qoe-video: ${text}`));
const quietly = work => (...words) => { try { return work(...words); } catch (fault) { warn(String(fault)); } };
const ask = value => typeof value === "function" ? quietly(value)() : value;
const known = fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null && value !== ""));

// An option as a text that the server takes; any other costs the play nothing but that text.
const text = value => {
  const it = ask(value) ?? "";
  if (!/^\(|[\u0000-\u001f\u007f-\u009f]/.test(it) && new Blob([it]).size <= 128) return String(it);
  warn(`left out, since it begins with (, holds controls or is longer than 128 bytes: ${it}`);
};

// A UUID of version 7, also on a page without TLS, where crypto.randomUUID is missing.
const uuid = () => {
  const time = Date.now().toString(16).padStart(12, "0");
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  bytes[2] = bytes[2] & 0x3f | 0x80;
  const chance = Array.from(bytes, byte => (byte + 256).toString(16).slice(1)).join("");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(1, 4)}-${chance.slice(4, 8)}-${chance.slice(8)}`;
};

// The figures of one play. Four conditions hold or don't; time counts under those that held since the input before.
class Play {
  wants = false; started = false; waiting = false; seeking = false;
  waitIsTheSeeks = false;  // What a seek has to wait for is neither watched nor a stall.
  sinceSeek = Infinity;    // ms played since a seek: a wait soon after it is the seek's too.
  insideSeek = null;       // ms of playing inside a seek: when that lasts, the seek was over, though nobody said so.
  startingMs = 0; watchedMs = 0; stalledMs = 0; stalls = 0; bitrate = null; bits = 0; bitsMs = 0;

  constructor(at) { this.began = this.at = at; }
  get watching() { return this.started && this.wants && !this.seeking && !(this.waiting && this.waitIsTheSeeks); }
  get stalled() { return this.watching && this.waiting; }

  advance(at) {
    const passed = at - this.at;
    this.at = at;
    if (passed > ASLEEP) return;  // There is an input a second, in a hidden page a minute: the device has slept.
    if (this.wants && !this.started) this.startingMs += passed;
    if (this.insideSeek !== null && (this.insideSeek += passed) >= SEEK_GRACE) {
      this.played(this.insideSeek);
      this.sinceSeek += passed;
      this.seeking = false;
      this.insideSeek = null;
    } else if (this.stalled) {
      this.watchedMs += passed;
      this.stalledMs += passed;
    } else if (this.watching) {
      this.played(passed);
      this.sinceSeek += passed;
    }
  }

  played(ms) {
    this.watchedMs += ms;
    if (this.bitrate) { this.bits += this.bitrate * ms; this.bitsMs += ms; }
  }

  take(input) {
    const wasStalled = this.stalled;
    if (input === "playing" && this.seeking) this.insideSeek ??= 0;
    else if (input !== "tick" && input !== "play") this.insideSeek = null;
    switch (input) {
    case "play": this.wants = true; break;
    case "pause": this.wants = this.waiting = false; break;
    case "playing":
      this.wants = this.started = true;
      this.waiting = false;
      if (!this.seeking) this.sinceSeek = Infinity;
      break;
    case "waiting":
      if (!this.waiting) this.waitIsTheSeeks = this.seeking || this.sinceSeek <= SEEK_GRACE;
      this.wants = this.waiting = true;
      break;
    case "seeking": this.seeking = true; this.waitIsTheSeeks = this.waiting; break;
    case "seeked": if (this.seeking) this.sinceSeek = 0; this.seeking = false; break;
    }
    if (this.stalled && !wasStalled) this.stalls += 1;
  }
}

// Whether the same request may be taken later. 0 is no response, and a 2xx that is none of ours a hot-spot's page.
const mayPass = status =>
  status < 300 || status === 408 || status === 429 || status >= 500 && status !== 501 && status !== 505;

// Sends what is recorded, in batches of plain text without a header of ours: that needs no preflight.
class Sender {
  id = uuid(); sequence = 0; made = 0; dropped = 0; rejected = 0;
  queue = []; sending = 0; size = BATCH; failed = 0; notBefore = 0; timer = null;

  constructor(address) { this.address = address; }

  record(fields) {
    this.made += 1;
    this.queue.push({ fields, endedAt: performance.now(), hasLeft: false });
    if (this.queue.length > ROOM) { this.queue.splice(this.sending, 1); this.dropped += 1; }
    this.later(this.sequence ? EVERY : Math.random() * EVERY);
  }

  later(wait) { this.timer ??= setTimeout(() => { this.timer = null; this.flush(); }, wait); }

  body(plays) {
    const { id: senderId, made, dropped, rejected } = this, now = performance.now();
    const events = plays.map(({ fields, endedAt }) => ({ ...fields, ageMs: Math.round(now - endedAt) }));
    return JSON.stringify({
      schemaVersion: 1, sender: { senderId, sequence: this.sequence++, made, dropped, rejected }, events });
  }

  async flush() {
    while (!this.sending && this.queue.length) {
      const wait = this.notBefore - performance.now();
      if (wait > 0) return this.later(wait);
      const batch = this.queue.slice(0, this.size);
      this.sending = batch.length;
      const { status, result, retryAfter } = await this.post(batch);
      this.sending = 0;
      const isTaken = status >= 200 && status < 300 && typeof result?.accepted === "number";
      if (status === 413 && batch.length > 1) {
        this.size = Math.ceil(batch.length / 2);
      } else if (!isTaken && mayPass(status)) {
        warn(status ? `status ${status}: plays are kept` : "no response: is the server there, and this origin allowed?");
        const most = Math.min(EVERY * 2 ** this.failed++, LONGEST_WAIT);
        this.notBefore = performance.now() + Math.random() * most + Math.min(retryAfter, HOUR);
        continue;
      } else {
        const rejected = result?.rejected ?? [];
        if (isTaken) this.rejected += rejected.length; else this.dropped += batch.length;
        if (!isTaken) warn(`status ${status}: plays are given up. Are the address and the key right?`);
        for (const { code, field } of rejected) warn(`the server rejects a play: ${code} ${field}`);
        this.queue = this.queue.filter(play => !batch.includes(play));
      }
      this.failed = 0;
    }
  }

  async post(plays) {
    const abort = new AbortController(), deadline = setTimeout(() => abort.abort(), 20_000);
    try {
      const response = await fetch(this.address, {
        method: "POST", body: this.body(plays), credentials: "omit", redirect: "manual", signal: abort.signal });
      const after = response.headers.get("Retry-After");
      const retryAfter = after ? Math.max(0, Number(after) * 1_000 || Date.parse(after) - Date.now() || 0) : 0;
      const result = await response.json().catch(() => null);
      return { status: response.type === "opaqueredirect" ? 302 : response.status, result, retryAfter };
    } catch {
      return { status: 0, retryAfter: 0 };
    } finally {
      clearTimeout(deadline);
    }
  }

  // A page on its way out hears no response. What goes with a beacon stays in the queue, for the case that the page lives
  // on: a play that arrives twice is stored once.
  leave() {
    let batch = [], bytes = 0;
    const send = () => {
      const hasLeft = batch.length > 0 && navigator.sendBeacon(this.address, this.body(batch));
      for (const play of batch) play.hasLeft = hasLeft;
      batch = [];
      bytes = 0;
    };
    for (const play of this.queue.filter(play => !play.hasLeft)) {
      const size = new Blob([JSON.stringify(play.fields)]).size + 32;
      if (bytes + size > BEACON || batch.length === this.size) send();
      batch.push(play);
      bytes += size;
    }
    send();
  }
}

// Errors after which dash.js goes on: of references (XLink), of subtitles, of the clock.
const DASH_GOES_ON = [12, 16, 29, 33];

// Of dash.js, which has picture and sound apart. It tells what is on the screen when that changes, and else what it loads.
const dashBitrate = (engine, shown) => {
  if (!engine.isReady()) return {};  // To ask earlier is an error.
  const of = type => {
    // Since version 5 representations, before it numbers of a list.
    if (engine.getCurrentRepresentationForType)
      return (shown[type]?.newRepresentation ?? engine.getCurrentRepresentationForType(type))?.bandwidth ?? 0;
    const list = engine.getBitrateInfoListFor(type);
    const number = list.length ? shown[type]?.newQuality ?? engine.getQualityFor(type) : null;
    return list.find(({ qualityIndex }) => qualityIndex === number)?.bitrate ?? 0;
  };
  const bitrate = of("video") + of("audio");
  return shown.video ? { plays: bitrate } : { loads: bitrate };
};

// A bitrate in bit/s, by the word of hls.js, Shaka Player, dash.js or Video.js: of what plays, or of what is loaded.
const bitrateOf = engine => {
  if (!engine) return {};
  if (engine.levels) return { plays: engine.levels[engine.currentLevel]?.bitrate };
  if (engine.getVariantTracks) return { loads: engine.getVariantTracks().find(track => track.active)?.bandwidth };
  if (engine.getVersion) return dashBitrate(engine, engines.get(engine)?.shown ?? {});
  const tech = engine.tech?.(true);
  return { loads: (tech?.vhs ?? tech?.hls)?.playlists?.media()?.attributes?.BANDWIDTH };
};

// What an engine calls itself. Each error after which it goes no further comes to the binding that has it now.
const heard = (engine, binding) => {
  const known = engine && engines.get(engine);
  if (known) Object.assign(known, { binding, shown: {} });
  if (!engine || known) return known?.label;
  const it = { binding, label: null, shown: {} };
  const called = (name, version) => { it.label = version ? `${name} ${version}` : name; };
  const failed = (domain, code) => it.binding.fail(domain, code);
  engines.set(engine, it);
  if (engine.levels) {
    engine.on("hlsError", (_, { fatal, details, response }) =>
      fatal && failed("hls.js", response?.code ? `${details}:${response.code}` : details));
    called("hls.js", engine.constructor.version);
  } else if (engine.getVariantTracks) {
    engine.addEventListener("error", ({ detail }) => detail.severity === 2 && failed("shaka", detail.code));
    called("shaka", engine.constructor.version?.replace(/^v/, ""));
  } else if (engine.getVersion) {
    engine.on("error", ({ error }) =>
      DASH_GOES_ON.includes(error?.code) || failed("dash.js", error?.code ?? String(error)));
    engine.on("qualityChangeRendered", event => { it.shown[event.mediaType] = event; });
    called("dash.js", engine.getVersion());
  } else if (engine.tech) {
    engine.on("error", () => engine.error() && failed("video.js", engine.error().code));
    called("video.js", window.videojs?.VERSION);
  }
  return it.label;
};

const newSession = () => ({ id: uuid(), hiddenAt: null });
let session = newSession();

// Binds a video. Binding it again, for its next clip, lets the one before go.
const bind = (video, options) => {
  if (!(video instanceof EventTarget)) throw new TypeError("the first argument should be a <video>");
  bindings.get(video)?.stop();
  const address = new URL(options.endpoint ?? "/v1/playback-events", home ?? location.href);
  if (options.writeKey) address.searchParams.set("key", options.writeKey);
  if (!senders.has(address.href)) senders.set(address.href, new Sender(address.href));
  const sender = senders.get(address.href), engine = options.engine, stopped = new AbortController();
  let play = null, closing = null, pending = null, last = 0, label = null;

  const network = ({ saveData, type } = navigator.connection ?? {}) =>
    saveData ? "constrained" : ["wifi", "cellular", "ethernet", "other"].includes(type) ? type : null;
  const context = () => known({
    cdn: text(options.cdn), cdnRegion: text(options.cdnRegion), network: text(options.network) || network() });
  const bufferedTo = () => video.buffered.length ? video.buffered.end(video.buffered.length - 1) : 0;
  const isBuffered = time => Array.from({ length: video.buffered.length }, (_, index) => index)
    .some(index => video.buffered.start(index) <= time && time < video.buffered.end(index));

  // What an engine loads plays when the picture comes to where the buffer ended as it began with it.
  let loaded = [];
  const bitrate = () => {
    const { plays, loads } = bitrateOf(engine);
    if (!loads) return plays;
    const last = loaded[loaded.length - 1], end = bufferedTo();
    if (loads !== last?.bitrate) loaded.push({ bitrate: loads, from: last ? end : 0 });
    else last.from = Math.min(last.from, end);  // Some clear the buffer for it.
    return loaded.filter(({ from }) => from <= video.currentTime).pop()?.bitrate;
  };

  const begin = (input, at) => {
    const videoId = text(options.videoId);
    if (!videoId) return warn("without a videoId nothing is measured");
    play = Object.assign(new Play(at), {
      isMeasured: input !== "playing" && [null, "failed", "stop"].includes(closing),
      isReplay: closing === "ended", isGuess: input === "autoplay", first: context(),
      attempt: Math.min((failures.get(videoId) ?? 0) + 1, 100),
      fields: {
        videoId, playId: uuid(), sessionId: text(options.sessionId) || session.id,
        player: text(options.player) || label, source: text(options.source), appVersion: text(options.appVersion),
        osVersion: text(options.osVersion), deviceModel: text(options.deviceModel) } });
    pending = null;
    open.add(binding);
  };

  const drop = reason => {
    play = null;
    closing = reason;
    open.delete(binding);
  };

  const close = (reason, error) => {
    const { first, fields, ...it } = play, served = { ...first, ...context() };
    drop(reason);
    if (reason === "failed") failures.set(fields.videoId, it.attempt); else failures.delete(fields.videoId);
    const named = Object.entries(ask(options.tags) ?? {}).filter(([name]) => /^[a-z][a-z0-9_]{0,31}$/.test(name));
    const tags = known(Object.fromEntries(named.slice(0, 8).map(([name, value]) => [name, text(value)])));
    if (it.isReplay && Object.keys(tags).length < 8) tags.start = "replay";
    // The clock has fractions. Rounding keeps what holds of the sums: the stalls are a part of what was watched.
    const whole = (ms, most) => Math.min(Math.round(ms), most);
    sender.record(known({
      ...fields, ...served, tags: Object.keys(tags).length ? tags : null, error, attempt: it.attempt,
      stalls: Math.min(it.stalls, 100_000),
      watchedMs: whole(it.watchedMs, LONGEST), stalledMs: whole(it.stalledMs, LONGEST),
      startupMs: it.started && it.isMeasured ? whole(it.startingMs, HOUR) : null,
      waitedMs: it.started ? null : whole(it.startingMs, HOUR),
      avgBitrate: it.bitsMs ? Math.round(it.bits / it.bitsMs) : null }));
  };

  const take = (input, time = performance.now(), error) => {
    const at = last = Math.max(last, time);
    const asks = ["play", "autoplay"].includes(input);
    if (!play && (input === "playing" || asks && !document.hidden)) begin(input, at);
    if (!play) return;
    if (input === "play") play.isGuess = false;
    play.advance(at);
    play.take(asks ? "play" : input);
    const now = quietly(bitrate)();
    play.bitrate = now > 0 && now <= 1e9 ? now : null;
    if (["ended", "failed", "suspended", "stop"].includes(input)) close(input, input === "failed" ? error : null);
    else if (at - play.began >= LONGEST) close("too long");
    // Away, and nothing plays: that wait or pause is nobody's, and there may be no later chance to tell of the play.
    else if (document.hidden && !(play.started && play.wants && !play.waiting)) close("suspended");
    if (document.hidden && !play) sender.leave();
  };

  // An engine that goes no further leaves what is buffered to play. The play fails where that ends, or with its source.
  const fail = (domain, code) => {
    if (!play) return;
    const part = it => Number.isInteger(it) ? it : String(it || "unknown").slice(0, 64);
    const error = { domain: String(part(domain)), code: part(code) };
    if (play.started && !play.waiting) pending = { error, bufferedTo: bufferedTo(), at: performance.now() };
    else take("failed", performance.now(), error);
  };
  const letGo = time => take(pending && time - pending.at < 1_000 ? "failed" : "stop", time, pending?.error);

  const handlers = {
    play: time => take("play", time),
    playing: time => take("playing", time),
    waiting: time => {
      const hasRunDry = pending && bufferedTo() < pending.bufferedTo + 0.1;
      take(hasRunDry ? "failed" : "waiting", time, pending?.error);
      pending = null;
    },
    // At the end browsers say `pause` before `ended`.
    pause: time => video.ended || take("pause", time),
    seeking: time => {
      if (!isBuffered(video.currentTime)) loaded = [];
      take("seeking", time);
    },
    seeked: time => take("seeked", time),
    ended: time => take("ended", time),
    // Of several sources the last one that fails is the failure, and only the source itself is told so.
    error: (time, target) => (target === video || target === [...video.querySelectorAll("source")].pop())
      && take("failed", time, { domain: "MediaError", code: video.error?.code ?? 4 }),
    // Another source before the first frame answers the same request. After it, the clip has been let go.
    emptied: time => {
      loaded = [];
      if (!play) closing = null; else if (play.started) letGo(time); else take("pause", time);
    },
    // A video with `autoplay` is asked for when it gets its source, but says `play` with the first frame.
    loadstart: time => video.autoplay && video.paused && take("autoplay", time),
    // Autoplay that the browser does not allow has asked for nothing.
    canplaythrough: () => play?.isGuess && video.paused && drop(closing),
    // Bound to a video that plays already, or cut at the longest play.
    timeupdate: time => {
      const plays = !(video.paused || video.ended || video.seeking || video.error || video.readyState < 3);
      if (play || plays) take(play ? "tick" : "playing", time);
    },
  };
  for (const [name, handler] of Object.entries(handlers))
    video.addEventListener(
      name, quietly(({ timeStamp, target }) => handler(timeStamp, target)), { signal: stopped.signal, capture: true });

  const binding = {
    // Tells an error that ends the play and that neither video nor engine tells.
    fail: quietly(fail),
    // Lets the clip go and listens no more.
    stop: quietly(() => { letGo(performance.now()); stopped.abort(); }),
    tick: quietly(time => take(video.paused && !video.isConnected ? "stop" : "tick", time)),
    suspend: quietly(time => take("suspended", time)),
  };
  label = heard(engine, binding);
  bindings.set(video, binding);
  if (video.currentSrc && video.readyState === 0) quietly(handlers.loadstart)(performance.now());
  return { fail: binding.fail, stop: binding.stop };
};

const leave = () => senders.forEach(quietly(sender => sender.leave()));
// Behind by one turn: a busy page hears late of events, whose times must not lie before what is added up already.
let turn = performance.now();
setInterval(() => {
  open.forEach(binding => binding.tick(turn));
  turn = performance.now();
}, 1_000);
addEventListener("pagehide", ({ timeStamp }) => { open.forEach(binding => binding.suspend(timeStamp)); leave(); });
document.addEventListener("visibilitychange", ({ timeStamp }) => {
  open.forEach(binding => binding.tick(timeStamp));
  if (document.hidden) leave();
  if (session.hiddenAt !== null && timeStamp - session.hiddenAt > AWAY) session = newSession();
  session.hiddenAt = document.hidden ? timeStamp : null;
});
window.qoeVideo = (video, options = {}) => quietly(bind)(video, options) ?? { fail() {}, stop() {} };
})();
