// What this device remembers: language and theme, which start.js sets before the first
// paint, and until logout what a start without network needs; and the workshop's time zone.
import { signal } from "../../vendor/ui.js";

const VALUES = { lang: ["th", "en"], theme: ["dark", "light"] };
const root = globalThis.document?.documentElement ?? { lang: "", dataset: { theme: "" } };

export const lang = signal(valid("lang", root.lang));
export const theme = signal(valid("theme", root.dataset.theme));
/** The workshop's time zone, which a session brings along; before that, the device's. */
export const timeZone = signal(undefined);

export function setLang(value) {
  showLang(value);
  save("lang", lang.value);
}

/** Set the language of this page only. */
export function showLang(value) {
  root.lang = lang.value = valid("lang", value);
}

export function setTheme(value) {
  root.dataset.theme = theme.value = valid("theme", value);
  save("theme", theme.value);
}

function valid(name, value) {
  return VALUES[name].includes(value) ? value : VALUES[name][0];
}

/** Remember a text; one whose name begins with "kept." until logout. */
export function save(name, value) {
  try {
    localStorage.setItem(`glassflow.${name}`, value);
  } catch {
    // storage may be turned off: the value lasts as long as the page
  }
}

/** What was kept under a name, or null. */
export function saved(name) {
  try {
    return localStorage.getItem(`glassflow.${name}`);
  } catch {
    return null;
  }
}

/** Forget what is kept until logout. */
export function forgetKept() {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith("glassflow.kept.")) localStorage.removeItem(name);
  } catch {
    // nothing was kept
  }
}
