import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const { openCamera } = await import("../../../glassflow/pages/static/js/scan/camera.js");

/** A camera, as getUserMedia gives it. */
class FakeTrack extends EventTarget {
  stopped = false;
  lit = false;
  stop() {
    this.stopped = true;
  }
  getCapabilities() {
    return { torch: FakeTrack.torch };
  }
  getSettings() {
    return { deviceId: "back" };
  }
  async applyConstraints({ advanced: [{ torch }] }) {
    this.lit = torch;
  }
}

/** The worker of decoder.js; a test answers for it. */
class FakeWorker {
  constructor() {
    workers.push(this);
  }
  postMessage({ id }) {
    this.asked = id;
  }
  terminate() {
    this.terminated = true;
  }
}

const workers = [];
let tracks;
let video;
let refused;
beforeEach(() => {
  [tracks, refused, FakeTrack.torch] = [[], null, true];
  video = { readyState: 2, play: async () => {}, srcObject: null };
  const mediaDevices = {
    async getUserMedia() {
      if (refused) throw refused;
      const track = new FakeTrack();
      tracks.push(track);
      return { getVideoTracks: () => [track], getTracks: () => [track] };
    },
    enumerateDevices: async () => [
      { kind: "videoinput", deviceId: "front", label: "Front" },
      { kind: "audioinput", deviceId: "m" },
      { kind: "videoinput", deviceId: "back", label: "Back" },
    ],
  };
  Object.defineProperty(globalThis, "navigator", { value: { mediaDevices }, configurable: true });
  globalThis.document = Object.assign(new EventTarget(), { hidden: false });
  globalThis.HTMLMediaElement = { HAVE_CURRENT_DATA: 2 };
  globalThis.Worker = FakeWorker;
  globalThis.createImageBitmap = async () => ({});
});

const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

async function show(shown) {
  document.hidden = !shown;
  document.dispatchEvent(new Event("visibilitychange"));
  await settle();
}

async function answer(message) {
  await settle();
  const worker = workers.at(-1);
  worker.onmessage({ data: { id: worker.asked, ...message } });
  await settle();
}

test("a camera has a light where the device has one, and names the others", async () => {
  const camera = await openCamera(video, () => {});
  await camera.torch(true);
  assert.equal(tracks[0].lit, true);
  assert.deepEqual(camera.cameras, [
    { id: "front", label: "Front", current: false },
    { id: "back", label: "Back", current: true },
  ]);
  await answer({ texts: [] });
  camera.stop();
  assert.deepEqual([tracks[0].stopped, video.srcObject], [true, null]);
  FakeTrack.torch = undefined;
  const dark = await openCamera(video, () => {});
  assert.equal(dark.torch, undefined);
  await answer({ texts: [] });
  dark.stop();
});

test("a code that is read after the camera was closed does not count", async () => {
  const codes = [];
  const camera = await openCamera(video, (code) => codes.push(code));
  await answer({ texts: ["A"] });
  assert.deepEqual(codes, ["A"]);
  await new Promise((resolve) => setTimeout(resolve, 100)); // the next picture
  camera.stop();
  await answer({ texts: ["B"] });
  assert.deepEqual(codes, ["A"]);
});

test("a hidden page keeps no camera open, and gets it back when it is shown", async () => {
  const camera = await openCamera(video, () => {});
  await show(false);
  assert.equal(tracks[0].stopped, true);
  await show(true);
  assert.deepEqual([tracks.length, tracks[1].stopped], [2, false]);
  camera.stop();
  await show(false);
  await show(true);
  assert.equal(tracks.length, 2);
  await answer({ texts: [] });
});

test("a refused camera is not asked for again by itself", async () => {
  refused = new DOMException("no", "NotAllowedError");
  await assert.rejects(
    openCamera(video, () => {}),
    { name: "NotAllowedError" },
  );
  refused = null;
  await show(true);
  assert.equal(tracks.length, 0);
});

test("what breaks later is reported once: a plug, a refusal, a reader that does not load", async () => {
  const faults = [];
  const onFail = (error) => faults.push(error.message);
  const breaks = [
    async () => tracks.at(-1).dispatchEvent(new Event("ended")),
    async () => {
      refused = new Error("refused");
      await show(false);
      await show(true);
    },
    async () => answer({ error: "no memory" }),
    async () => {
      await settle();
      workers.at(-1).onerror(new Event("error"));
    },
  ];
  mock.method(globalThis, "setTimeout", () => {}); // one picture of each camera
  try {
    for (const [turn, makeBreak] of breaks.entries()) {
      refused = null;
      await openCamera(video, () => {}, { onFail });
      await makeBreak();
      await settle();
      assert.equal(faults.length, turn + 1);
      assert.equal(tracks.at(-1).stopped, true);
    }
  } finally {
    mock.restoreAll();
  }
  assert.equal(workers.at(-1).terminated, true);
  const before = workers.length;
  const camera = await openCamera(video, () => {});
  await settle();
  assert.equal(workers.length, before + 1);
  await answer({ texts: [] });
  camera.stop();
});
