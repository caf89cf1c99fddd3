// Texts, numbers and times in the language of the page. A component that calls these
// functions is drawn again when the language changes.
//
// The texts are in texts/AREA.LANGUAGE.js. main.js loads those of a page beside its module.
import { lang, setLang, timeZone } from "./preferences.js";

export const LANGUAGES = { th: "ไทย", en: "English" };

const catalogues = { th: {}, en: {} }; // the loaded texts of all areas by their key
const areas = new Set(); // that the pages have asked for
const loads = {}; // the promise of each file

function load(area, language) {
  const file = `${area}.${language}`;
  loads[file] ??= import(`../../texts/${file}.js`).then(
    (texts) => Object.assign(catalogues[language], texts.default),
    (error) => {
      delete loads[file];
      throw error;
    },
  );
  return loads[file];
}

/** Load the texts of areas in the language of the page. */
export async function loadTexts(...wanted) {
  for (const area of wanted) areas.add(area);
  await Promise.all(wanted.map((area) => load(area, lang.value)));
}

let chosen; // the language that was chosen last

/** Show the pages in a language, once the texts of all areas are loaded in it. */
export async function changeLanguage(language, set = setLang) {
  chosen = language;
  for (let loaded = 0; loaded < areas.size;) {
    loaded = areas.size; // a page may add an area meanwhile
    await Promise.all([...areas].map((area) => load(area, language)));
  }
  if (chosen === language) set(language);
}

/** @type {[string, number][]} */
const UNITS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

const missing = {}; // shown for keys without a text

/** The text of a key; `{name}` in it is `values.name`, and `{name|one|other}` what fits that number. */
export function t(key, values = {}) {
  const text = catalogues[lang.value][key] ?? (missing[key] ??= withoutText(key));
  return text.replace(/\{(\w+)(?:\|(.*?)\|(.*?))?\}/g, (_, name, one, other) =>
    one ? (values[name] == 1 ? one : other) : values[name],
  );
}

function withoutText(key) {
  console.error(`There is no text ${key}`);
  return `${key}`.split(".").at(-1);
}

/** Whether there is a text of a key. */
export const hasText = (key) => key in catalogues[lang.value];

/** The text of a key that is made of data, else another one. */
export const textOr = (key, other) => (hasText(key) ? t(key) : other);

const formatters = new Map(); // to make one takes longer than all that it formats

function formatter(kind, options) {
  const key = lang.value + kind + JSON.stringify(options);
  if (!formatters.has(key)) formatters.set(key, new Intl[kind](lang.value, options));
  return formatters.get(key);
}

/** A time span in its largest unit: "12 seconds", "3 นาที"; {unitDisplay: "short"}: "3 ชม.". */
export function duration(seconds, { unitDisplay = "long" } = {}) {
  const whole = Math.max(0, Math.floor(seconds));
  const [unit, size] = UNITS.find(([, size]) => whole >= size) ?? UNITS.at(-1);
  return formatter("NumberFormat", { style: "unit", unit, unitDisplay }).format(Math.floor(whole / size));
}

/** A number with separators. */
export function number(value) {
  return formatter("NumberFormat", {}).format(value);
}

/** A moment (epoch milliseconds or a Date) by options of `Intl`, in the workshop's zone. */
export function format(moment, options) {
  const zoned = { timeZone: timeZone.value, hour12: false, ...options };
  return formatter("DateTimeFormat", zoned).format(moment);
}

const DATE = { day: "numeric", month: "short", year: "numeric" };
const TIME = { hour: "2-digit", minute: "2-digit" };

/** The time of day of a moment, with seconds. */
export const timeOfDay = (moment) => format(moment, { ...TIME, second: "2-digit" });

/** The day of a moment: "22 Nov 2026"; Thai years are Buddhist. */
export const date = (moment) => format(moment, DATE);

/** The day of a moment without the year: "22 Nov". */
export const dayMonth = (moment) => format(moment, { day: "numeric", month: "short" });

/** The month of a text as "2026-11": "Nov 2026"; in the middle of it, it is that month in every time zone. */
export const month = (text) => format(new Date(`${text}-15T12:00Z`), { month: "short", year: "numeric" });

/** The hour and minute of a moment. */
export const hourMinute = (moment) => format(moment, TIME);

/** The day of a moment and the time of day. */
export const dateTime = (moment) => format(moment, { ...DATE, ...TIME });
