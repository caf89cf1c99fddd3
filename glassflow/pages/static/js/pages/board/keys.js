// What the keys of the board do, as a list over it.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Dialog } from "../../ui/dialog.js";

const VIEWS = [
  ["← →", "board.keyView"],
  ["Space", "board.keyHold"],
]; // where there are several
const KEYS = [
  ["D", "board.keyTheme"],
  ["?", "board.keyHelp"],
  ["Esc", "board.keyClose"],
];

/** `several`: whether there are views to change between. */
export function Keys({ several, onClose }) {
  return html`<${Dialog} title=${t("board.keys")} onClose=${onClose}>
    <dl>${[...(several ? VIEWS : []), ...KEYS].map(([keys, text]) => html`
      <dt key=${keys}>${keys.split(" ").map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${t(text)}</dd>`)}</dl>
  <//>`;
}
