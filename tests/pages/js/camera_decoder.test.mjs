// Which reader decodes a picture: the browser's own one where it has one, else zxing.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, test } from "node:test";

const DECODER = "../../../glassflow/pages/static/js/scan/decoder.js";
const MODULE_PX = 8;
const QUIET = 4; // modules around a code
// STDPLUS:PNE-0107 at error correction Q
const CODE = `
#######.#.#.#.#######
#.....#.#.#.#.#.....#
#.###.#..#..#.#.###.#
#.###.#..##.#.#.###.#
#.###.#....#..#.###.#
#.....#....##.#.....#
#######.#.#.#.#######
..........#..........
.#....###.#..#.....##
.###.#...####.#######
.#.#..#....#.##...#.#
.####..##.#####..#...
#..######..#.#...####
........####...#####.
#######.#...#.....##.
#.....#..##...#.##..#
#.###.#..#.##....#..#
#.###.#..#..##....#..
#.###.#...##.##....##
#.....#.####.....#..#
#######..##.#..##....`
  .trim()
  .split("\n");
const SIDE_PX = (CODE.length + 2 * QUIET) * MODULE_PX;

/** The pixels of a white picture, or of one of the code. */
function pixels(width, height, isCode) {
  const data = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let at = 0; isCode && at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)].map((px) => Math.floor(px / MODULE_PX) - QUIET);
    if (CODE[y]?.[x] === "#") data.fill(0, 4 * at, 4 * at + 3);
  }
  return { data, width, height };
}

/** What the worker draws pictures on for zxing. */
class FakeCanvas {
  constructor(width, height) {
    Object.assign(this, { width, height });
  }
  getContext() {
    return {
      drawImage: (frame) => (this.frame = frame),
      getImageData: (x, y, width, height) => {
        drawn += 1;
        return pixels(width, height, this.frame.isCode);
      },
    };
  }
}

/** The browser's own reader; `own.finds` are its codes, or it throws them. */
class FakeDetector {
  static getSupportedFormats = async () => own.formats;
  constructor({ formats }) {
    own.made.push(formats);
  }
  async detect() {
    if (own.finds instanceof Error) throw own.finds;
    return own.finds.map(([rawValue, x, y]) => ({ rawValue, boundingBox: { x, y, width: 10, height: 10 } }));
  }
}

const answers = new Map(); // id -> the answer of the worker
let own; // the browser's own reader
let drawn; // how many pictures zxing has got
let copies = 0;
globalThis.onmessage = null;
globalThis.postMessage = ({ id, ...answer }) => answers.set(id, answer);
globalThis.OffscreenCanvas = FakeCanvas;
globalThis.fetch = async (url) =>
  new Response(await readFile(new URL(url)), { headers: { "Content-Type": "application/wasm" } });

beforeEach(() => {
  answers.clear();
  own = { formats: ["ean_13", "qr_code"], made: [], finds: [] };
  drawn = 0;
  globalThis.BarcodeDetector = FakeDetector;
});

/** A worker that has not read anything yet: `read(picture)` returns its answer. */
async function worker() {
  await import(`${DECODER}?${(copies += 1)}`);
  const { onmessage } = globalThis;
  return async ({ isCode = true, side = SIDE_PX, thorough = false } = {}) => {
    let closed = 0;
    const frame = { width: side, height: side, isCode, close: () => (closed += 1) };
    await onmessage({ data: { id: 1, frame, thorough } });
    assert.equal(closed, 1);
    return answers.get(1);
  };
}

test("the browser's own reader is used where there is one, and zxing gets no picture", async () => {
  const read = await worker();
  own.finds = [["STDPLUS:PNE-0001", 10, 10]];
  assert.deepEqual(await read(), { texts: ["STDPLUS:PNE-0001"] });
  own.finds = [];
  assert.deepEqual(await read(), { texts: [] });
  assert.deepEqual([own.made, drawn], [[["qr_code"]], 0]);
});

test("of several codes the one nearest to the middle comes first", async () => {
  const read = await worker();
  own.finds = [
    ["edge", 0, 0],
    ["middle", SIDE_PX / 2, SIDE_PX / 2],
    ["between", SIDE_PX / 4, SIDE_PX / 2],
  ];
  assert.deepEqual(await read(), { texts: ["middle", "between", "edge"] });
});

test("zxing reads where the browser has no reader, or none of QR codes", async () => {
  delete globalThis.BarcodeDetector;
  assert.deepEqual(await (await worker())(), { texts: ["STDPLUS:PNE-0107"] });
  globalThis.BarcodeDetector = FakeDetector;
  own.formats = ["ean_13"];
  assert.deepEqual(await (await worker())(), { texts: ["STDPLUS:PNE-0107"] });
  assert.deepEqual([own.made, drawn], [[], 2]);
});

test("a reader of the browser that does not work is left for zxing from then on", async () => {
  const read = await worker();
  own.finds = new Error("Barcode detection service unavailable");
  assert.deepEqual(await read(), { texts: ["STDPLUS:PNE-0107"] });
  own.finds = [["STDPLUS:PNE-0001", 10, 10]];
  assert.deepEqual(await read(), { texts: ["STDPLUS:PNE-0107"] });
});

test("a photo in which the browser's own reader finds nothing is read by zxing too, in two sizes", async () => {
  const read = await worker();
  assert.deepEqual(await read({ thorough: true }), { texts: ["STDPLUS:PNE-0107"] });
  assert.equal(drawn, 1);
  assert.deepEqual(await read({ thorough: true, isCode: false }), { texts: [] });
  assert.equal(drawn, 3);
});

test("a picture that no reader can look at is answered with a fault", async () => {
  delete globalThis.BarcodeDetector;
  const read = await worker();
  globalThis.OffscreenCanvas = class {
    constructor() {
      throw new RangeError("no memory");
    }
  };
  try {
    assert.deepEqual(await read(), { error: "RangeError: no memory" });
  } finally {
    globalThis.OffscreenCanvas = FakeCanvas;
  }
});
