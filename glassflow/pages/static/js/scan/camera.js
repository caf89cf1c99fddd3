// Codes read by the camera, live or from a photo. What reads them (decoder.js and its
// library) is loaded with the first picture.
import { CodesInView } from "./codes_in_view.js";

const PAUSE_MS = 60; // between two pictures: the page needs the processor too
const CHOICE = "glassflow.camera";

/**
 * Return {live, reason}: whether the camera can be opened here, or why not: "insecure"
 * (browsers give it to pages of https and of the device itself only) or "none".
 */
export function cameraSupport() {
  if (!globalThis.isSecureContext) return { live: false, reason: "insecure" };
  if (!navigator.mediaDevices?.getUserMedia) return { live: false, reason: "none" };
  return { live: true, reason: "" };
}

/**
 * Show the camera in a video element and call `onCode(text)` for each code that comes into
 * the picture. Resolves to {stop, torch, cameras}: `torch(on)` where it has a light, else
 * undefined; `cameras`, [{id, label, current}]. It pauses while the page is hidden.
 * `onFail(error)` is called when it breaks later.
 *
 * A code counts once until it has left the picture: the camera never confirms by itself.
 * Throws the DOMException of getUserMedia: NotAllowedError, NotFoundError, NotReadableError.
 */
export async function openCamera(video, onCode, { cameraId = keptChoice(), onFail = (_) => {} } = {}) {
  const camera = new Camera(video, onCode, cameraId, onFail);
  try {
    await camera.start();
  } catch (error) {
    camera.end();
    throw error;
  }
  const torch = camera.hasTorch() ? (on) => camera.torch(on) : undefined;
  return { stop: () => camera.end(), torch, cameras: await camera.others() };
}

/** Keep which camera this device uses from now on. */
export function chooseCamera(id) {
  try {
    localStorage.setItem(CHOICE, id);
  } catch {
    // storage may be turned off: the choice lasts as long as the camera is open
  }
}

function keptChoice() {
  try {
    return localStorage.getItem(CHOICE) ?? undefined;
  } catch {
    return undefined;
  }
}

class Camera {
  inView = new CodesInView();
  stream = null;
  ended = false;

  constructor(video, onCode, cameraId, onFail) {
    this.video = video;
    this.onCode = onCode;
    this.cameraId = cameraId;
    this.onFail = onFail;
    this.onVisibility = () => {
      if (document.hidden) this.release();
      else this.start().catch((error) => this.fail(error));
    };
    document.addEventListener("visibilitychange", this.onVisibility);
  }

  async start() {
    const stream = await this.ask();
    if (this.ended || this.stream || document.hidden) return stopTracks(stream);
    this.stream = stream;
    this.track.addEventListener("ended", () => this.fail(new Error("The camera is gone")));
    // without these, phones show the video in a window of its own
    Object.assign(this.video, { muted: true, playsInline: true, srcObject: stream });
    try {
      await this.video.play();
    } catch (error) {
      if (this.stream === stream) throw error; // else it was released meanwhile
    }
    this.look(stream);
    return undefined;
  }

  async ask() {
    const size = { width: { ideal: 1280 }, height: { ideal: 720 } };
    const which = this.cameraId ? { deviceId: { ideal: this.cameraId } } : { facingMode: { ideal: "environment" } };
    return navigator.mediaDevices.getUserMedia({ video: { ...which, ...size }, audio: false });
  }

  get track() {
    return this.stream?.getVideoTracks()[0];
  }

  /** Look at one picture after the other, for as long as this stream is open. */
  async look(stream) {
    while (this.stream === stream && !this.ended) {
      try {
        await this.lookOnce(stream);
      } catch (error) {
        if (this.stream === stream) this.fail(error);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async lookOnce(stream) {
    if (this.video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    const texts = await decode(await createImageBitmap(this.video));
    if (this.stream !== stream || this.ended) return;
    const code = this.inView.next(texts, performance.now());
    if (code) this.onCode(code);
  }

  hasTorch() {
    return Boolean(this.track?.getCapabilities?.().torch);
  }

  async torch(on) {
    await this.track?.applyConstraints({ advanced: [{ torch: on }] });
  }

  async others() {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const current = this.track?.getSettings().deviceId;
    return devices
      .filter(({ kind, deviceId }) => kind === "videoinput" && deviceId)
      .map(({ deviceId: id, label }) => ({ id, label, current: id === current }));
  }

  release() {
    if (this.stream) stopTracks(this.stream);
    this.stream = null;
    this.video.srcObject = null;
  }

  end() {
    this.ended = true;
    document.removeEventListener("visibilitychange", this.onVisibility);
    this.release();
  }

  fail(error) {
    if (this.ended) return;
    this.end();
    this.onFail(error);
  }
}

function stopTracks(stream) {
  for (const track of stream.getTracks()) track.stop();
}

/** Return the text of the code in a photo (a File), or null where none can be read. */
export async function decodeFile(file) {
  let picture;
  try {
    picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return null; // no picture
  }
  const [text] = await decode(picture, { thorough: true });
  return text ?? null;
}

let worker = null;
let turn = 0;
const waiting = new Map(); // id -> {resolve, reject}

/** The texts of the codes in a picture. Throws where the reader cannot be loaded. */
function decode(frame, { thorough = false } = {}) {
  worker ??= startWorker();
  turn += 1;
  const answer = new Promise((resolve, reject) => waiting.set(turn, { resolve, reject }));
  worker.postMessage({ id: turn, frame, thorough }, [frame]);
  return answer;
}

function startWorker() {
  const started = new Worker(new URL("./decoder.js", import.meta.url), { type: "module" });
  started.onmessage = ({ data: { id, texts, error } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(error));
    else resolve(texts);
  };
  started.onerror = () => {
    started.terminate();
    worker = null; // the next picture tries again
    for (const { reject } of waiting.values()) reject(new Error("The reader could not be loaded"));
    waiting.clear();
  };
  return started;
}
