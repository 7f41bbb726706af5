"use strict";
// Shaka Player and dash.js as far as their documentation describes them, where no package has the real ones: what the
// script may ask of them, with the errors that they throw. `unknown` has what it asked for that is not documented.

// What no engine has but another: the script looks which one it was given.
const LOOKED_FOR = ["levels", "getVariantTracks", "getVersion", "tech", "getCurrentRepresentationForType"];
const documented = engine => new Proxy(engine, {
  get(target, name) {
    if (!(name in target) && !LOOKED_FOR.includes(name)) target.unknown.push(String(name));
    const value = target[name];
    return typeof value === "function" && name !== "constructor" ? value.bind(target) : value;
  } });

// shaka.Player of versions 4 and 5: externs/shaka/player.js (Track), lib/player.js (ErrorEvent, getVariantTracks).
class ShakaPlayer extends EventTarget {
  static version = "v5.0.4";
  unknown = [];
  // `active` is "the track being streamed (another track may be visible/audible in the buffer)".
  tracks = [
    { id: 0, active: true, type: "variant", bandwidth: 1_000_000, videoBandwidth: 900_000, audioBandwidth: 100_000 },
    { id: 1, active: false, type: "variant", bandwidth: 3_000_000, videoBandwidth: 2_900_000, audioBandwidth: 100_000 },
  ];
  getVariantTracks() { return this.tracks; }
  choose(id) { for (const track of this.tracks) track.active = track.id === id; }
  // Severity 1 is recoverable, 2 critical.
  fail(severity, code) {
    const detail = { severity, category: 1, code, data: [], handled: false };
    this.dispatchEvent(Object.assign(new Event("error"), { detail }));
  }
}

// dashjs.MediaPlayer as far as versions 4 and 5 have it in common: index.d.ts (MediaPlayerClass, MediaPlayerErrorEvent).
class DashPlayer {
  unknown = []; ready = false; hasStream = false; listeners = {};
  on(type, listener) { (this.listeners[type] ??= []).push(listener); }
  tell(type, more) { for (const listener of this.listeners[type] ?? []) listener({ type, ...more }); }
  isReady() { return this.ready; }
  mustBeReady() {
    if (!this.ready) throw "You must first call initialize() and set a source before calling this method";
  }
  fail(code) { this.tell("error", { error: { code, message: `error ${code}`, data: null } }); }
}

// Before version 5: numbers of a list, which a filter may have left gaps in.
class DashPlayer4 extends DashPlayer {
  numbers = { video: 1, audio: 0 };
  getVersion() { return "4.7.4"; }
  getBitrateInfoListFor(type) {
    this.mustBeReady();
    if (!this.hasStream) return [];
    const list = { audio: [[0, 64_000]], video: [[1, 1_000_000], [3, 3_000_000]] }[type];
    return list.map(([qualityIndex, bitrate]) => ({ mediaType: type, bitrate, width: 320, height: 180, qualityIndex }));
  }
  getQualityFor(type) {
    this.mustBeReady();
    return this.numbers[type];
  }
  load(number) { this.numbers.video = number; }
  show(newQuality) {
    this.tell("qualityChangeRendered", { mediaType: "video", oldQuality: 1, newQuality, streamId: "0" });
  }
}

// Since version 5: representations.
class DashPlayer5 extends DashPlayer {
  representations = [1_000_000, 0, 0, 3_000_000].map((bandwidth, index) => ({
    id: `v${index}`, index, absoluteIndex: index, bandwidth, bitrateInKbit: bandwidth / 1_000 }));
  number = 0;
  getVersion() { return "5.0.3"; }
  getCurrentRepresentationForType(type) {
    this.mustBeReady();
    if (!this.hasStream) return null;
    return type === "audio" ? { id: "a0", bandwidth: 64_000, bitrateInKbit: 64 } : this.representations[this.number];
  }
  load(number) { this.number = number; }
  show(number) {
    this.tell("qualityChangeRendered", {
      mediaType: "video", oldRepresentation: this.representations[0], newRepresentation: this.representations[number],
      streamId: "0" });
  }
}
