import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const vibrations = [];
let active = true;
Object.defineProperty(globalThis, "navigator", {
  value: {
    vibrate: (pattern) => vibrations.push(pattern),
    get userActivation() {
      return { hasBeenActive: active };
    },
  },
});
const STATIC = "../../../glassflow/pages/static/js";
const { play, soundOn, unlock } = await import(`${STATIC}/scan/sounds.js`);
const { fit } = await import(`${STATIC}/scan/photo.js`);

/** What sounds.js uses of the Web Audio API; notes what would be heard. */
class FakeAudio {
  state = "suspended";
  currentTime = 5;
  async resume() {
    if (FakeAudio.allowed) this.state = "running";
  }
  createOscillator() {
    const tone = {
      frequency: {},
      connect() {},
      start: (at) => (tone.at = at),
      stop: (at) => notes.push([tone.frequency.value, tone.at, at, tone.type]),
    };
    return tone;
  }
  createGain() {
    return { connect() {}, gain: { setValueAtTime() {}, linearRampToValueAtTime() {} } };
  }
  constructor() {
    FakeAudio.last = this;
  }
}

const notes = [];
beforeEach(() => {
  notes.length = vibrations.length = 0;
  active = true;
});

test("there is no sound before a tap, and none where the browser has none", async () => {
  play("yes");
  assert.deepEqual([notes, vibrations], [[], [60]]);
  await unlock();
  assert.equal(soundOn.value, false);
  globalThis.AudioContext = FakeAudio;
  FakeAudio.allowed = false;
  await unlock();
  play("yes");
  assert.deepEqual([soundOn.value, notes], [false, []]);
});

test("the verdicts sound and feel different: two notes up, two low, two equal, three down and up", async () => {
  globalThis.AudioContext = FakeAudio;
  FakeAudio.allowed = true;
  await unlock();
  assert.equal(soundOn.value, true);
  const heard = {};
  for (const verdict of ["yes", "no", "kept", "outside"]) {
    play(verdict);
    heard[verdict] = notes.splice(0);
    assert.equal(heard[verdict].length, verdict === "outside" ? 3 : 2);
    const [[, , end], [, second]] = heard[verdict];
    assert.ok(second > end, "the notes follow each other");
  }
  const [yes, no, kept, outside] = ["yes", "no", "kept", "outside"].map((one) => heard[one].map(([tone]) => tone));
  assert.ok(yes[0] < yes[1]);
  assert.ok(Math.max(...no) < 200);
  assert.equal(kept[0], kept[1]);
  assert.ok(outside[0] > outside[1] && outside[2] > outside[1]);
  assert.notEqual(heard.no[0][3], heard.yes[0][3]);
  assert.equal(new Set(vibrations.map(String)).size, 4);
});

test("a sound that another program takes away shows as off", async () => {
  FakeAudio.last.state = "interrupted";
  FakeAudio.last.onstatechange();
  assert.equal(soundOn.value, false);
  play("no");
  assert.deepEqual(notes, []);
  await unlock();
  assert.equal(soundOn.value, true);
});

test("the device does not vibrate before the first tap", () => {
  active = false;
  play("no");
  assert.deepEqual(vibrations, []);
});

test("a photo keeps its proportions and is never made larger", () => {
  assert.deepEqual(fit(4000, 3000), [1600, 1200]);
  assert.deepEqual(fit(3000, 4000), [1200, 1600]);
  assert.deepEqual(fit(800, 600), [800, 600]);
  assert.deepEqual(fit(20_000, 3), [1600, 1]);
});
