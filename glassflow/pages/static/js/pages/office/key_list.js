// The list of the keys of the office, which "?" opens.
import { html } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { Dialog } from "../../ui/dialog.js";
import { sections } from "./sections.js";

const KEYS = [
  ["Ctrl K", "office.keyFind"],
  ["/", "office.keyFind"],
  ["g h", "missing.home"],
  ["j k", "office.keyRows"],
  ["Enter", "office.keyOpen"],
  ["x", "office.keySelect"],
  ["n", "office.keyNew"],
  ["p", "office.keyPrint"],
  ["?", "office.keyHelp"],
];

export default function Keys({ onClose }) {
  const rows = [
    ...sections().map(({ name, letter }) => [`g ${letter}`, t(`office.${name}`)]),
    ...KEYS.map(([keys, text]) => [keys, t(text)]),
  ];
  return html`<${Dialog} title=${t("office.keys")} onClose=${onClose}>
    <dl class="keys">${rows.map(([keys, text]) => html`
      <dt key=${keys}>${keys.split(" ").map((key) => html`<kbd>${key}</kbd>`)}</dt>
      <dd>${text}</dd>`)}</dl>
  <//>`;
}
