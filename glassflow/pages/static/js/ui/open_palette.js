// Opens the palette, whose code is loaded after the page.
import { signal } from "../../vendor/ui.js";

/** What is searched for at first; null while the palette is closed. */
export const opened = signal(null);

/** Open the palette, with a text that was typed or scanned elsewhere. */
export function openPalette(text = "") {
  opened.value = text;
}
