// Loads the texts of all pages in both languages, so that a test may change the language at once.
// Import it after document.mjs, as the modules of the pages look for a document. A text that is
// missing fails the test that asks for it; in a browser it is logged.
import { readdirSync } from "node:fs";

const STATIC = new URL("../../../glassflow/pages/static/", import.meta.url);
const { loadTexts } = await import(new URL("js/core/i18n.js", STATIC));
const { lang } = await import(new URL("js/core/preferences.js", STATIC));

export const LANGUAGES = ["th", "en"];
export const AREAS = [...new Set(readdirSync(new URL("texts/", STATIC)).map((name) => name.split(".")[0]))];

const before = lang.value;
for (const language of LANGUAGES) {
  lang.value = language;
  await loadTexts(...AREAS);
}
lang.value = before;

const { error } = console;
console.error = (...logged) => {
  error(...logged);
  if (/^There is no text/.test(logged[0])) throw new Error(logged[0]);
};
