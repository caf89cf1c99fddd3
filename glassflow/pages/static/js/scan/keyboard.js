// What a scanner meant that types through a keyboard set to Thai. A scanner presses the
// keys of a US keyboard; with the Thai layout (Kedmanee) they type other characters.

// One row of keys each: their codes, and what they type plain and with Shift, on a US
// keyboard and on a Thai one.
const ROWS = [
  [
    "Backquote Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal",
    "`1234567890-=",
    "~!@#$%^&*()_+",
    ["_", "ๅ", "/", "-", "ภ", "ถ", "ุ", "ึ", "ค", "ต", "จ", "ข", "ช"],
    ["%", "+", "๑", "๒", "๓", "๔", "ู", "฿", "๕", "๖", "๗", "๘", "๙"],
  ],
  [
    "KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight Backslash",
    "qwertyuiop[]\\",
    "QWERTYUIOP{}|",
    ["ๆ", "ไ", "ำ", "พ", "ะ", "ั", "ี", "ร", "น", "ย", "บ", "ล", "ฃ"],
    ["๐", '"', "ฎ", "ฑ", "ธ", "ํ", "๊", "ณ", "ฯ", "ญ", "ฐ", ",", "ฅ"],
  ],
  [
    "KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote",
    "asdfghjkl;'",
    'ASDFGHJKL:"',
    ["ฟ", "ห", "ก", "ด", "เ", "้", "่", "า", "ส", "ว", "ง"],
    ["ฤ", "ฆ", "ฏ", "โ", "ฌ", "็", "๋", "ษ", "ศ", "ซ", "."],
  ],
  [
    "KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash",
    "zxcvbnm,./",
    "ZXCVBNM<>?",
    ["ผ", "ป", "แ", "อ", "ิ", "ื", "ท", "ม", "ใ", "ฝ"],
    ["(", ")", "ฉ", "ฮ", "ฺ", "์", "?", "ฒ", "ฬ", "ฦ"],
  ],
];
const THAI_LETTER = /[\u0e01-\u0e5b]/;

const keys = new Map(); // code -> {latin: [plain, shifted], thai: [plain, shifted]}
const latinOf = new Map(); // Thai character -> Latin one
for (const [codes, plain, shifted, thai, thaiShifted] of ROWS) {
  String(codes)
    .split(" ")
    .forEach((code, i) => {
      keys.set(code, { latin: [plain[i], shifted[i]], thai: [thai[i], thaiShifted[i]] });
      latinOf.set(thai[i], plain[i]).set(thaiShifted[i], shifted[i]);
    });
}

/** Return a text as the scanner meant it; one without Thai letters is as it was meant. */
export function latin(text) {
  if (!THAI_LETTER.test(text)) return text;
  return Array.from(text, (character) => latinOf.get(character) ?? character).join("");
}

/** Whether a keydown event shows that the keyboard is set to Thai. */
export function isThai({ key, code }) {
  if (THAI_LETTER.test(key)) return true;
  const known = keys.get(code); // "/" typed by the key 2
  return Boolean(known?.thai.includes(key) && !known.latin.includes(key));
}

/**
 * Return the character that a key stands for on a US keyboard, wherever it is known which
 * key it was. CapsLock changes what a Thai keyboard types, but not what was meant.
 */
export function latinKey(event) {
  const { key, code } = event;
  if (/^Numpad/.test(code)) return key; // the same in every layout
  const known = keys.get(code);
  if (!known) return latinOf.get(key) ?? key;
  const capsLock = event.getModifierState?.("CapsLock") ?? false;
  const shifted = event.shiftKey || (!capsLock && key === known.thai[1]);
  return known.latin[shifted ? 1 : 0];
}
