import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const STATIC = "../../../glassflow/pages/static/js";
const { session } = await import(`${STATIC}/core/session.js`);
const { latin } = await import(`${STATIC}/scan/keyboard.js`);
const { isCut, parse } = await import(`${STATIC}/scan/codes.js`);
const { forgetEndMark, listen } = await import(`${STATIC}/scan/wedge.js`);

const PAYLOAD = "STDPLUS:PNE-0107";
const PAYLOAD_IN_THAI = "ฆธฏญศ๊ฆซญ์ฎขจๅจึ";
const URL = "https://floor.workshop.example:8443/floor/s/64ab0cd1e2f3a4b5c6d7e8f9";

/** A US keyboard and a Thai one (Kedmanee), as their makers print them, row by row. */
const US =
  "1234567890-=" +
  "qwertyuiop[]\\" +
  "asdfghjkl;'" +
  "zxcvbnm,./" +
  "!@#$%^&*()_+" +
  "QWERTYUIOP{}|" +
  'ASDFGHJKL:"' +
  "ZXCVBNM<>?";
const THAI = [
  ..."ๅ/-ภถ",
  "ุ",
  "ึ",
  ..."คตจขช",
  ..."ๆไ",
  "ำ",
  ..."พะ",
  "ั",
  "ี",
  ..."รนยบลฃ",
  ..."ฟหกดเ",
  "้",
  "่",
  ..."าสวง",
  ..."ผปแอ",
  "ิ",
  "ื",
  ..."ทมใฝ",
  ..."+๑๒๓๔",
  "ู",
  ..."฿๕๖๗๘๙",
  ...'๐"ฎฑธ',
  "ํ",
  "๊",
  ..."ณฯญฐ,ฅ",
  ..."ฤฆฏโฌ",
  "็",
  "๋",
  ..."ษศซ.",
  ..."()ฉฮ",
  "ฺ",
  "์",
  ..."?ฒฬฦ",
];
const CODES = [..."1234567890"]
  .map((digit) => `Digit${digit}`)
  .concat(
    "Minus",
    "Equal",
    [..."QWERTYUIOP"].map((letter) => `Key${letter}`),
    "BracketLeft",
    "BracketRight",
    "Backslash",
    [..."ASDFGHJKL"].map((letter) => `Key${letter}`),
    "Semicolon",
    "Quote",
    [..."ZXCVBNM"].map((letter) => `Key${letter}`),
    "Comma",
    "Period",
    "Slash",
  )
  .flat();

/** What a key event says when a scanner presses the keys of one character. */
function keyOf(character, { thai = false, codes = true, capsLock = false, shift = true } = {}) {
  if (character === " ") return { key: " ", code: "Space" };
  const place = US.indexOf(character);
  const shifted = place >= CODES.length;
  const i = place % CODES.length;
  const letter = /[a-z]/i.test(character);
  const upper = shifted !== (capsLock && (thai || letter)); // CapsLock turns Shift round
  return {
    key: (thai ? THAI : US)[i + (upper ? CODES.length : 0)],
    code: codes ? CODES[i] : "",
    shiftKey: shift && shifted,
    getModifierState: (name) => name === "CapsLock" && capsLock,
  };
}

/** A page that hears keys; its clock goes on by `gap` ms with each one. */
class Page {
  now = 10_000;
  scans = [];
  keys = [];
  unended = [];
  bursts = [];
  focused = { tagName: "BODY", closest: () => null };

  constructor() {
    const target = {
      addEventListener: (_, handler) => (this.handler = handler),
      removeEventListener: () => (this.handler = null),
    };
    const onKey = (key) => this.keys.push(key);
    const onUnended = (text) => this.unended.push(text);
    const onBurst = (facts) => this.bursts.push(facts);
    this.stop = listen((text) => this.scans.push(text), { target, onKey, onUnended, onBurst });
  }

  press(event, gap = 5) {
    this.now += gap;
    let taken = false;
    this.handler({
      target: this.focused,
      timeStamp: this.now,
      code: "",
      getModifierState: () => false,
      preventDefault: () => (taken = true),
      stopPropagation() {},
      ...event,
    });
    if (!taken && this.focused.value !== undefined && event.key.length === 1) this.focused.value += event.key;
    return taken;
  }

  type(text, { gap = 5, end = "Enter", ...options } = {}) {
    for (const character of text) {
      if (US.indexOf(character) >= CODES.length) this.press({ key: "Shift" }, 0);
      this.press(keyOf(character, options), gap);
    }
    return end && this.press({ key: end }, gap);
  }

  focusField(value = "", type = "text") {
    this.focused = {
      tagName: "INPUT",
      type,
      value,
      inputs: 0,
      closest: () => this.focused,
      dispatchEvent: () => (this.focused.inputs += 1),
    };
    return this.focused;
  }
}

/** Numbers that look random and are the same in each run. */
function* random(seed) {
  for (let state = seed; ;) {
    state = (state * 48271) % 2147483647;
    yield state / 2147483647;
  }
}

let page;
beforeEach(() => {
  page?.stop();
  forgetEndMark();
  page = new Page();
  session.value = { state: "open", qrPrefix: "STDPLUS:" };
});

test("letters that choose in a list are no scan, and a scan leaves the choice as it was", () => {
  const list = Object.assign(page.focusField("a"), { tagName: "SELECT" });
  assert.equal(page.type("temp", { gap: 20, end: "Tab" }), false);
  assert.deepEqual([page.scans, page.keys], [[], []]);
  list.value = "a";
  page.now += 1000;
  assert.equal(page.type(PAYLOAD), true);
  assert.deepEqual([page.scans, list.value], [[PAYLOAD], "a"]);
});

test("what a scanner types is a scan, ended by Enter or Tab, which do nothing else", () => {
  assert.equal(page.type(PAYLOAD), true);
  assert.equal(page.type(PAYLOAD, { end: "Tab" }), true);
  assert.equal(page.type(PAYLOAD, { end: null }), null);
  assert.deepEqual(page.scans, [PAYLOAD, PAYLOAD]);
});

test("every text is read in both layouts, with and without codes and CapsLock", () => {
  const numbers = random(7);
  const letters = US.replace("`", "");
  for (let turn = 0; turn < 300; turn += 1) {
    const length = 3 + Math.floor(numbers.next().value * 20);
    const tail = Array.from({ length }, () => letters[Math.floor(numbers.next().value * letters.length)]).join("");
    const text = `S${tail}`; // with one letter at least, which shows the layout
    const expected = text.toUpperCase();
    const variants = [
      {},
      { thai: true },
      { thai: true, codes: false },
      { thai: true, shift: false },
      { capsLock: true },
      { thai: true, capsLock: true },
    ];
    for (const options of variants) {
      page.type(text, options);
      assert.equal(page.scans.pop().toUpperCase(), expected, JSON.stringify({ text, options }));
    }
    page.type(text, { thai: true });
    assert.equal(page.scans.pop(), text);
    const typed = [...text].map((one) => keyOf(one, { thai: true }).key).join("");
    assert.equal(latin(typed), text);
  }
});

test("a code of which no character is a Thai letter is read by its keys", () => {
  page.type("2323", { thai: true }); // typed as "/-/-"
  assert.deepEqual(page.scans, ["2323"]);
});

test("the table of the Thai keyboard reads the payload that a phone types", () => {
  assert.equal(latin(PAYLOAD_IN_THAI), PAYLOAD);
  assert.equal(latin("PNE-0107/2"), "PNE-0107/2");
  assert.deepEqual(parse(PAYLOAD_IN_THAI), { kind: "pane", number: "PNE-0107", text: PAYLOAD });
});

test("keys of the number pad are digits in every layout", () => {
  for (const key of "STDPLUS:PNE-") page.press(keyOf(key, { thai: true }));
  for (const key of "0107") page.press({ key, code: `Numpad${key}` });
  page.press({ key: "Enter" });
  assert.deepEqual(page.scans, [PAYLOAD]);
});

test("what is shorter than a number, or interrupted, is no scan", () => {
  assert.equal(page.type("123"), false);
  page.type("STDPLUS:", { end: null });
  page.press({ key: "Enter" }, 501);
  page.type("STDPLUS:", { end: null });
  page.press({ key: "Backspace" });
  page.type("123");
  page.type("STDPLUS:PN", { end: null });
  page.type("E-1", { gap: 600 });
  assert.deepEqual(page.scans, []);
});

test("shortcuts of the browser are left alone", () => {
  for (const modifier of ["ctrlKey", "altKey", "metaKey", "isComposing", "repeat"])
    for (const key of "STDPLUS") page.press({ key, [modifier]: true });
  assert.equal(page.type(""), false);
  assert.deepEqual(page.scans, []);
});

test("the second end of a scanner that sends two does nothing; a later one does", () => {
  page.type(PAYLOAD);
  assert.equal(page.press({ key: "Enter" }, 10), true);
  assert.deepEqual(page.keys, []);
  assert.equal(page.press({ key: "Enter" }, 300), false);
  assert.deepEqual(page.keys, ["Enter"]);
});

test("single keys are shortcuts, of scans none, in the Thai layout too", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    page.press(keyOf("f", { thai: true }));
    mock.timers.tick(200);
    assert.deepEqual(page.keys, ["f"]);
    page.press({ key: "Escape" });
    page.type("STDPLUS-DO:FAIL");
    page.press({ key: "Enter" }, 400);
    mock.timers.tick(200);
  } finally {
    mock.timers.reset();
  }
  assert.deepEqual(page.keys, ["f", "Escape", "Enter"]);
  assert.deepEqual(page.scans, ["STDPLUS-DO:FAIL"]);
});

test("a shortcut just before a scan is no part of it", () => {
  page.press(keyOf("f"));
  page.type(PAYLOAD, { gap: 20 });
  assert.deepEqual(page.scans, [PAYLOAD]);
});

test("Enter presses the button that has the focus, unless it ends a scan", () => {
  page.focused = { tagName: "BUTTON", closest: () => page.focused };
  assert.equal(page.press({ key: "Enter" }), false);
  assert.deepEqual(page.keys, []);
  assert.equal(page.type(PAYLOAD), true);
});

test("a text field keeps what a person types into it, whatever it is", () => {
  for (const type of ["text", "search", "password", "number"]) {
    const field = page.focusField("", type);
    page.type("hello", { gap: 5 }); // quick, but no code of the workshop
    page.type(PAYLOAD, { gap: 101 }); // a code, but typed by hand
    page.type(`x${PAYLOAD}`, { gap: 5 });
    page.type(`]Q1x${PAYLOAD}`, { gap: 5 });
    assert.equal(field.value, `hello${PAYLOAD}x${PAYLOAD}]Q1x${PAYLOAD}`);
  }
  assert.deepEqual([page.scans, page.keys], [[], []]);
});

test("a shortcut that opens a field is no part of what is typed into it", () => {
  page.type("/", { end: null });
  const field = page.focusField();
  assert.equal(page.type("Nok", { gap: 100 }), false);
  assert.equal(field.value, "Nok");
  assert.deepEqual(page.scans, []);
});

test("a scan goes past the text field that has the focus, which keeps its text", () => {
  for (const code of [PAYLOAD, "STDPLUS-DO:NEXT", "STDPLUS-WORKER:nok", URL]) {
    const field = page.focusField("a note");
    page.now += 1000;
    assert.equal(page.type(code), true);
    assert.equal(page.scans.pop(), code);
    assert.deepEqual([field.value, field.inputs], ["a note", 1]);
  }
  page.focusField();
  page.type(PAYLOAD, { thai: true });
  assert.deepEqual(page.scans, [PAYLOAD]);
});

test("scanners that are slow, or type something before the code, are heard in a field as elsewhere", () => {
  for (const before of ["", " ", "]Q1", "]C0", "]d2", " ]Q1 "])
    for (const code of [PAYLOAD, "STDPLUS-DO:NEXT", "STDPLUS-WORKER:nok", URL])
      for (const gap of [5, 100])
        for (const thai of [false, true]) {
          const field = page.focusField("a note");
          page.now += 1000;
          assert.equal(page.type(before + code, { gap, thai }), true, before + code);
          assert.equal(page.scans.pop(), code);
          assert.equal(field.value, "a note");
        }
  assert.deepEqual(page.scans, []);
});

test("a code without the prefix of the workshop may be typed, unless it comes very quickly", () => {
  session.value = { state: "open", qrPrefix: "" };
  for (const [gap, isScan] of [
    [50, true],
    [51, false],
  ]) {
    page.focusField();
    page.now += 1000;
    assert.equal(page.type("]Q1PNE-0007", { gap }), isScan);
  }
  assert.deepEqual(page.scans, ["PNE-0007"]);
});

/** Runs with timers that go on by `wait(ms)`, as the page's clock does. */
function withTimers(run) {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    run((ms) => {
      page.now += ms;
      for (let passed = 0; passed < ms; passed += 1) mock.timers.tick(1); // a timer may set the next one
    });
  } finally {
    mock.timers.reset();
  }
}

test("a code without an end mark is taken after a silence, on a device that has never got one", () =>
  withTimers((wait) => {
    page.type(PAYLOAD, { end: null });
    wait(149);
    assert.deepEqual(page.scans, []);
    wait(1);
    assert.deepEqual(page.scans.splice(0), [PAYLOAD]);
    wait(1000);
    for (const field of [page.focusField("a note"), (page.focused = { tagName: "BODY", closest: () => null })]) {
      page.type(PAYLOAD, { end: null, thai: true });
      wait(1000);
      assert.deepEqual(page.scans.splice(0), [PAYLOAD]);
      assert.equal(field.value ?? "a note", "a note");
    }
    page.type("PNE-0107", { end: null, gap: 51 }); // fingers
    wait(1000);
    page.focusField();
    page.type("PNE-0107", { end: null, gap: 1 });
    wait(1000);
    page.focused = { tagName: "BODY", closest: () => null };
    page.type("1234", { end: null });
    wait(1000);
    assert.deepEqual([page.scans, page.unended], [[], []]);
    page.type("8850999320014", { end: null }); // of a product: somebody says so
    wait(1000);
    assert.deepEqual(page.scans, ["8850999320014"]);
  }));

test("what comes late still belongs to the code that was taken after a silence", () =>
  withTimers((wait) => {
    page.type(PAYLOAD, { end: null });
    wait(200);
    assert.equal(page.press({ key: "Enter" }), true); // it would confirm the scan
    assert.deepEqual([page.scans.splice(0), page.keys], [[PAYLOAD], []]);
    wait(1000);
    page.type("STDPLUS:PNE-0237", { end: null });
    wait(200);
    page.type("-A");
    assert.deepEqual(page.scans.splice(0), ["STDPLUS:PNE-0237", "STDPLUS:PNE-0237-A"]);
    forgetEndMark();
    wait(1000);
    page.type("STDPLUS:PNE-0237", { end: null });
    wait(200);
    page.type("STDPLUS:PNE-0238", { end: null });
    wait(200);
    assert.deepEqual(page.scans, ["STDPLUS:PNE-0237", "STDPLUS:PNE-0238"]);
  }));

test("a device that has got an end mark waits for it, and says when it does not come", () =>
  withTimers((wait) => {
    page.type("0107"); // fingers may end a number so
    page.type(PAYLOAD, { end: null });
    wait(1000);
    assert.deepEqual(page.scans.splice(0), ["0107", PAYLOAD]);
    page.type(PAYLOAD, { end: "Tab" });
    wait(1000);
    page.type("STDPLUS:PNE-0237", { end: null });
    wait(499);
    page.type("-A", { gap: 0 });
    assert.deepEqual([page.scans.splice(0), page.unended], [[PAYLOAD, "STDPLUS:PNE-0237-A"], []]);
    wait(1000);
    page.type(PAYLOAD, { end: null });
    wait(1000);
    assert.deepEqual([page.scans, page.unended], [[], [PAYLOAD]]);
    forgetEndMark();
    page.type(PAYLOAD, { end: null });
    wait(1000);
    assert.deepEqual(page.scans, [PAYLOAD]);
  }));

test("codes that came in one go are all taken, in their order", () => {
  const glued = {
    "STDPLUS:PNE-0107-ASTDPLUS:PNE-0108": ["STDPLUS:PNE-0107-A", "STDPLUS:PNE-0108"],
    "TDPLUS:PNE-0107stdplus:pne-0108 ]Q1STDPLUS-DO:NEXT": ["STDPLUS:PNE-0107", "stdplus:pne-0108", "STDPLUS-DO:NEXT"],
    [PAYLOAD + URL]: [PAYLOAD, URL],
    [`${PAYLOAD}STDPLUS:RCK-0003`]: [PAYLOAD, "STDPLUS:RCK-0003"],
    [`STDPLUS:INV-0012${PAYLOAD}`]: ["STDPLUS:INV-0012", PAYLOAD],
  };
  for (const [text, codes] of Object.entries(glued))
    for (const focus of [() => page.focusField(), () => (page.focused = { tagName: "BODY", closest: () => null })]) {
      focus();
      page.type(text);
      const read = page.scans.splice(0);
      assert.deepEqual(
        read.map((one) => parse(one).number),
        codes.map((one) => parse(one).number),
        text,
      );
      page.now += 1000;
    }
  page.focused = { tagName: "BODY", closest: () => null };
  page.type(`OTHER:PNE-0001${PAYLOAD}`); // the first one is refused, not lost
  assert.deepEqual(page.scans, ["OTHER:PNE-0001", PAYLOAD]);
});

test("the first characters of a code may be lost, as long as what is left can be no other code", () => {
  for (const code of [
    PAYLOAD,
    `${PAYLOAD}-A`,
    "STDPLUS:RCK-0003",
    "STDPLUS:INV-0012",
    "STDPLUS-DO:NEXT",
    "STDPLUS-WORKER:ABCDEFGHJKMNPQRSTVWX",
    URL,
  ])
    for (let lost = 1; !/^(PNE|RCK|INV|NEXT|ABC|floor\.)/.test(code.slice(lost)); lost += 1) {
      const [read, expected] = [parse(code.slice(lost)), parse(code)];
      if (code !== URL && !code.slice(lost).includes(":")) continue;
      assert.deepEqual([read.kind, read.number], [expected.kind, expected.number], code.slice(lost));
      assert.equal(isCut(code.slice(lost)), true, code.slice(lost));
      page.focusField();
      page.type(code.slice(lost));
      if (code !== URL) assert.equal(parse(page.scans.pop()).number, expected.number, code.slice(lost));
      page.now += 1000;
    }
  for (const code of [PAYLOAD, "PNE-0107", "107", URL, "OTHER:PNE-0107", "TDPLUS:PNE-010", "DPLUS:ORD-0001"])
    assert.equal(isCut(code), false, code);
  for (const code of ["TDPLUS:PNE-010", "PLUS:PNE-0107-B-2", "ER:nok"]) assert.equal(parse(code).kind, "unknown");
});

test("a burst is told with its end, its slowest gap and its layout", () => {
  page.type(PAYLOAD, { thai: true, gap: 7 });
  page.now += 1000;
  page.type("STDPLUS:", { end: "Tab" });
  assert.deepEqual(page.bursts, [
    { text: PAYLOAD, thai: true, end: "Enter", slowestMs: 7 },
    { text: "STDPLUS:", thai: false, end: "Tab", slowestMs: 5 },
  ]);
});

test("a page that is left hears no keys any more", () => {
  page.stop();
  assert.equal(page.handler, null);
});

test("a number is read as payload or bare, in any letter case, with its sheet", () => {
  const texts = {
    "PNE-0107": [PAYLOAD, "stdplus:pne-0107", " pne-0107 ", "0107", "107", "PNE107", "pne 107"],
    "PNE-0107-B": ["STDPLUS:PNE-0107-B", "pne-0107-b", "107b", "107-B", "0107 b"],
    "PNE-12345": ["12345", "STDPLUS:pne-12345"],
  };
  for (const [number, ways] of Object.entries(texts))
    for (const text of ways) assert.deepEqual([parse(text).kind, parse(text).number], ["pane", number], text);
});

test("a rack or a lot is read as payload, or as people type it", () => {
  for (const text of ["STDPLUS:RCK-0003", "rck-0003", "RCK3", "rck 3"])
    assert.deepEqual([parse(text).kind, parse(text).number], ["rack", "RCK-0003"], text);
  for (const text of ["STDPLUS:INV-0012", "inv-0012", "INV12", "inv 12"])
    assert.deepEqual([parse(text).kind, parse(text).number], ["lot", "INV-0012"], text);
  for (const text of ["RCK", "RCK-0003-A", "OTHER:RCK-0003", "INV-0012-A", "OTHER:INV-0012"])
    assert.equal(parse(text).kind, "unknown", text);
});

test("numbers of any size and sheet are found again in each of their forms", () => {
  const numbers = random(11);
  for (let turn = 0; turn < 500; turn += 1) {
    const digits = String(Math.floor(numbers.next().value * 10 ** (1 + (turn % 6)))).padStart(4, "0");
    const sheet = turn % 3 ? `-${String.fromCharCode(65 + (turn % 26))}` : "";
    const number = `PNE-${digits}${sheet}`;
    const forms = [number, number.toLowerCase(), `STDPLUS:${number}`, digits + sheet];
    for (const form of forms) assert.equal(parse(form).number, number, form);
  }
});

test("an AIM identifier, of which symbology a code is, is no part of it", () => {
  const codes = {
    [PAYLOAD]: "pane",
    "PNE-0107": "pane",
    "STDPLUS-WORKER:nok": "worker",
    "RCK-0003": "rack",
    [URL]: "station",
    "STDPLUS-DO:NEXT": "command",
    8850999320014: "unknown",
  };
  for (const [code, kind] of Object.entries(codes))
    for (const before of ["]Q1", "]d2", " ]C0 "])
      assert.deepEqual(parse(before + code), { ...parse(code), kind }, before + code);
  assert.equal(parse("]Q").text, "]Q");
});

test("codes of other workshops, products and pages are unknown", () => {
  const others = [
    "OTHER:PNE-0107",
    "8850999320014",
    "STDPLUS:",
    "STDPLUS:ORD-0001",
    "",
    "  ",
    "STDPLUS-DO:",
    "STDPLUS-DO:EVERYTHING",
    "STDPLUS-WORKER:",
    "https://example.org/",
    "https://example.org/floor/s/nothing",
    "PNE-",
    "PNE-0107-B-2",
    "กระจก",
  ];
  for (const text of others) assert.deepEqual([parse(text).kind, parse(text).number], ["unknown", ""], text);
  assert.equal(parse(" OTHER:1 ").text, "OTHER:1");
});

test("stations, workers and commands are told apart", () => {
  const found = [
    URL,
    URL.toUpperCase(),
    "/floor/s/64AB0cd1e2f3a4b5c6d7e8f9/",
    "STDPLUS-WORKER:Nok_1",
    "stdplus-worker:nok_1",
    "stdplus-do:next",
    "STDPLUS-DO:FAIL",
    "STDPLUS-DO:UNDO-VIEW",
    "stdplus-do:defect-dimension-wrong",
  ].map((text) => [parse(text).kind, parse(text).number]);
  const station = ["station", "64ab0cd1e2f3a4b5c6d7e8f9"];
  assert.deepEqual(found, [
    station,
    station,
    station,
    ["worker", "nok_1"],
    ["worker", "nok_1"],
    ["command", "NEXT"],
    ["command", "FAIL"],
    ["command", "UNDO-VIEW"],
    ["command", "DEFECT-DIMENSION-WRONG"],
  ]);
});

test("the payload begins as the workshop has set it", () => {
  session.value = { state: "open", qrPrefix: "glas-" };
  assert.equal(parse("GLAS-PNE-0007").number, "PNE-0007");
  assert.equal(parse(PAYLOAD).kind, "unknown");
  session.value = { state: "open", qrPrefix: "" };
  assert.equal(parse("pne-0007").number, "PNE-0007");
  page.focusField("x");
  page.type("PNE-0007");
  assert.deepEqual(page.scans, ["PNE-0007"]);
});
