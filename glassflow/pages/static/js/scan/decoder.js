// A worker that reads QR codes in pictures: with the browser's own reader where it has one,
// else with zxing. Gets {id, frame, thorough}, answers {id, texts} or {id, error}; the
// texts begin with the code that is nearest to the middle.
import { prepareZXingModule, readBarcodes } from "../../vendor/zxing.js";

const WASM = new URL("../../vendor/zxing_reader.wasm", import.meta.url).href;
const FRAME_PX = 1280; // the longest side that is looked at
const PHOTO_PX = [1600, 3200]; // a small code in a large photo needs the second one
const MOST_CODES = 4;

let native; // null: there is none; undefined: nobody has looked yet
let canvas;

onmessage = async ({ data: { id, frame, thorough } }) => {
  try {
    postMessage({ id, texts: await read(frame, thorough) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  } finally {
    frame.close();
  }
};

async function read(frame, thorough) {
  const found = await readNatively(frame);
  // for a photo nobody waits at the camera: both readers may try
  if (found && (found.length || !thorough)) return found;
  for (const longest of thorough ? PHOTO_PX : [FRAME_PX]) {
    const texts = await readWithZxing(frame, longest, thorough);
    if (texts.length) return texts;
  }
  return [];
}

/** The texts that the browser's own reader finds; null where it has none. */
async function readNatively(frame) {
  if (native === undefined) native = await nativeReader();
  if (!native) return null;
  try {
    const codes = await native.detect(frame);
    const at = codes.map(({ rawValue, boundingBox: { x, y, width, height } }) => [
      rawValue,
      x + width / 2,
      y + height / 2,
    ]);
    return nearestFirst(at, frame);
  } catch {
    native = null; // it is there but does not work
    return null;
  }
}

async function nativeReader() {
  try {
    const formats = await globalThis.BarcodeDetector.getSupportedFormats();
    return formats.includes("qr_code") ? new BarcodeDetector({ formats: ["qr_code"] }) : null;
  } catch {
    return null;
  }
}

async function readWithZxing(frame, longest, thorough = false) {
  prepareZXingModule({ overrides: { locateFile: () => WASM } });
  const image = pixels(frame, longest);
  const codes = await readBarcodes(image, {
    formats: ["QRCode"],
    maxNumberOfSymbols: MOST_CODES,
    tryInvert: false,
    tryHarder: thorough,
  });
  const at = codes
    .filter(({ isValid }) => isValid)
    .map(({ text, position }) => {
      const { topLeft: a, bottomRight: b } = position;
      return [text, (a.x + b.x) / 2, (a.y + b.y) / 2];
    });
  return nearestFirst(at, image);
}

function pixels(frame, longest) {
  const scale = Math.min(1, longest / Math.max(frame.width, frame.height));
  const [width, height] = [frame.width, frame.height].map((side) => Math.round(side * scale));
  canvas ??= new OffscreenCanvas(width, height);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(frame, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

function nearestFirst(codes, { width, height }) {
  const distance = ([, x, y]) => Math.hypot(x - width / 2, y - height / 2);
  return codes.sort((a, b) => distance(a) - distance(b)).map(([text]) => text);
}
