// Functions that measure.mjs runs in a page: they know nothing but their arguments.

/** Read a picture again and again, turned and with noise; the times in ms. */
export async function readFrames({ picture, frames }) {
  const WIDTH = 1280, HEIGHT = 720, WARM_UP = 5, NOISE = 25, TURNED = 0.65;
  const modules = new URL("./", document.querySelector('script[src$="js/main.js"]').src).href;
  const worker = new Worker(`${modules}scan/decoder.js`, { type: "module" });
  const code = Object.assign(new Image(), { src: `data:image/png;base64,${picture}` });
  await code.decode();
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext("2d");
  const times = [];
  for (let id = 0; id < WARM_UP + frames; id += 1) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = "#bbb";
    context.fillRect(0, 0, WIDTH, HEIGHT);
    context.translate(WIDTH / 2, HEIGHT / 2);
    context.rotate(TURNED);
    context.drawImage(code, -code.width / 2, -code.height / 2);
    const image = context.getImageData(0, 0, WIDTH, HEIGHT);
    for (let at = 0; at < image.data.length; at += 1)
      if (at % 4 !== 3) image.data[at] += NOISE * (Math.random() - 0.5);
    context.putImageData(image, 0, 0);
    const frame = canvas.transferToImageBitmap();
    const begun = performance.now();
    const texts = await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.texts));
      worker.postMessage({ id, frame, thorough: false }, [frame]);
    });
    if (id < WARM_UP) continue;
    if (texts.length !== 1) throw new Error("The code was not read");
    times.push(performance.now() - begun);
  }
  worker.terminate();
  return times;
}

/**
 * Give the board events of panes and orders that come and go, many at once: what it keeps
 * depends on their number, not on their rate. Throws where the board shows what has left.
 */
export async function feedBoard({ events }) {
  const AT_ONCE = 2000, STATIONS = 8, STAGES = ["pending", "in_progress", "awaiting_scan_out"];
  const STEPS = STATIONS * STAGES.length, OPEN = 600, PANES_OF_ORDER = 20;
  const modules = new URL("./", document.querySelector('script[src$="js/main.js"]').src).href;
  const { receive } = await import(`${modules}core/events.js`);
  const { board } = await import(`${modules}pages/board/source.js`);
  const stations = Array.from({ length: STATIONS }, (_, i) =>
    ({ _id: `s${i}`, name: `Station ${i}`, colorId: "sky", version: 1, outToday: 0, stay: null }));
  board.load({ seq: 1, alerts: [], orders: [], stations }, Date.now());
  const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

  let seq = 1;
  const say = (name, data, action) => receive(name, { action, data }, { seq: (seq += 1) });
  function workOn(turn) {
    const round = Math.floor(turn / (OPEN * (STEPS + 1))), step = Math.floor(turn / OPEN) % (STEPS + 1);
    const number = round * OPEN + (turn % OPEN), order = Math.floor(number / PANES_OF_ORDER);
    const updatedAt = new Date().toISOString(), finished = step === STEPS;
    const station = finished ? null : `s${Math.floor(step / STAGES.length)}`;
    say("pane:updated", {
      _id: `p${number}`, paneNumber: `PNE-${number}`, order: `o${order}`, version: step + 1, updatedAt,
      arrivedAt: updatedAt, currentStation: station, dimensions: { width: 900, height: 1800 },
      currentStatus: finished ? "completed" : STAGES[step % STAGES.length],
    }, "scanned");
    say("log:updated", { paneLog: { action: "scan_out", station } }, "pane_scanned");
    if (number % PANES_OF_ORDER) return;
    say("order:updated", {
      _id: `o${order}`, orderNumber: `ORD-${order}`, version: step + 1, request: `r${order}`,
      status: finished ? "completed" : "in_progress", panesCompleted: 0, paneCount: PANES_OF_ORDER,
    }, "updated");
  }
  for (let turn = 0; seq < events; turn += 1) {
    workOn(turn);
    if (turn % AT_ONCE === 0) while (board.seq < seq) await pause();
  }
  while (board.seq < seq) await pause();
  await new Promise((resolve) => setTimeout(resolve, 1000)); // it is drawn
  if (board.panes.size > OPEN || board.orders.value.size > OPEN / PANES_OF_ORDER)
    throw new Error("The board shows what has left");
}
