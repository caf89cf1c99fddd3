// The palette: finds a pane, an order, a delivery, a customer or another record by what somebody
// types or scans, and opens it.
import { html, useEffect, useRef, useState } from "../../vendor/ui.js";
import { api } from "../core/api.js";
import { number, t } from "../core/i18n.js";
import { inTurn } from "../core/resource.js";
import { go } from "../core/router.js";
import { parse } from "../scan/codes.js";
import { Dialog } from "./dialog.js";
import { explain } from "./fault.js";
import { opened } from "./open_palette.js";
import { Icon } from "./parts.js";

const TYPING_PAUSE_MS = 150;
const ICONS = {
  pane: "layers",
  rack: "package",
  order: "clipboard-list",
  request: "file-text",
  quote: "receipt-text",
  delivery: "truck",
  customer: "users",
  claim: "triangle-alert",
  billingEntry: "banknote",
  payment: "circle-check",
};
const NOTHING = { text: "", rows: [], error: null };

/** `hrefOf(found)` is the page of what was found. */
export default function Palette({ hrefOf }) {
  if (opened.value === null) return null;
  return html`<${Dialog} title=${t("office.find")} className="palette"
      onClose=${() => (opened.value = null)}>
    <${Search} key=${opened.value} start=${opened.value} hrefOf=${hrefOf} />
  <//>`;
}

const isCard = (text) => parse(text).kind === "command";

/**
 * The path that finds a text; null for a badge, whose secret would be in the logs of proxies,
 * and for a command card.
 */
export function searchPath(text) {
  return parse(text).kind === "worker" || isCard(text) ? null : `/search?${new URLSearchParams({ q: text })}`;
}

/** What the service finds for a text: {text, rows, error}, once nobody types any more. */
function useFound(text) {
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    const path = text && searchPath(text);
    if (!path) return setFound({ ...NOTHING, text });
    let current = true;
    const show = (one) => current && setFound({ ...NOTHING, text, ...one });
    const search = () => current && api(path);
    const timer = setTimeout(
      () =>
        inTurn(search).then(
          (answer) => answer && show({ rows: answer.data }),
          (error) => show({ error }),
        ),
      TYPING_PAUSE_MS,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text]);
  return found;
}

function Search({ start, hrefOf }) {
  const [typed, setTyped] = useState(start);
  const [chosen, setChosen] = useState(0);
  const [entered, setEntered] = useState(""); // what is opened as soon as it is found
  const text = typed.trim();
  const found = useFound(text);
  const { rows } = found;
  useEffect(() => setChosen(0), [found]);
  useEffect(() => {
    if (entered && entered === found.text) open(rows[0]);
  }, [entered, found]);

  function open(row) {
    setEntered("");
    if (!row) return;
    opened.value = null;
    go(hrefOf(row));
  }

  function onKeyDown(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && rows.length) setChosen((chosen + step + rows.length) % rows.length);
    else if (event.key === "Enter" && found.text === text) open(rows[chosen]);
    else if (event.key === "Enter") enter();
    if (step || event.key === "Enter") event.preventDefault();
  }

  /** A scanner, or somebody quick: what was typed through a Thai keyboard is put right. */
  function enter() {
    const { kind, number: scanned } = parse(text);
    const meant = ["pane", "rack"].includes(kind) ? scanned : text;
    setTyped(meant);
    setEntered(meant);
  }

  const option = rows[chosen] && `found-${chosen}`;
  return html`<input type="text" role="combobox" autofocus aria-expanded="true"
      aria-controls="found" aria-autocomplete="list" aria-activedescendant=${option}
      aria-label=${t("palette.label")} placeholder=${t("palette.label")} autocomplete="off"
      spellcheck="false" maxlength="200" value=${typed} onKeyDown=${onKeyDown}
      onInput=${(event) => setTyped(event.currentTarget.value)} />
    <ul id="found" role="listbox" aria-label=${t("office.find")}>
      ${rows.map((row, index) => html`<${Found} key=${row._id} row=${row} index=${index}
        chosen=${index === chosen} href=${hrefOf(row)} onOpen=${() => open(row)} />`)}
    </ul>
    <${Outcome} text=${text} found=${found} />`;
}

function Found({ row, index, chosen, href, onOpen }) {
  const [name, ...further] = wordsOf(row);
  const item = useEffectOnChosen(chosen);
  const onClick = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // in another tab
    event.preventDefault();
    onOpen();
  };
  return html`<li role="presentation"><a ref=${item} id=${`found-${index}`} role="option"
      tabindex="-1" aria-selected=${String(chosen)} href=${href} onClick=${onClick}>
    <${Icon} name=${ICONS[row.kind]} />
    <strong>${name}</strong>
    <span>${further.filter(Boolean).join(" · ")}</span>
    <small>${t(`palettekind.${row.kind}`)}</small>
  </a></li>`;
}

/** Keeps the chosen row in sight. */
function useEffectOnChosen(chosen) {
  const item = useRef();
  useEffect(() => {
    if (chosen) item.current.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return item;
}

/** The number or name of what was found, and what tells it from others. */
function wordsOf(row) {
  if (row.kind === "pane")
    return [row.paneNumber, row.mark, row.glassTypeLabel, row.order?.orderNumber, row.rack?.rackNumber];
  if (row.kind === "rack") return [row.rackNumber, row.name, row.place];
  if (row.kind === "order") return [row.orderNumber, row.customer?.name];
  if (row.kind === "request") return [row.requestNumber, row.customer?.name];
  if (row.kind === "quote") return [row.quoteNumber, row.customer?.name];
  if (row.kind === "delivery") return [row.deliveryNumber, row.customer?.name];
  if (row.kind === "claim") return [row.claimNumber, row.pane?.paneNumber, row.order?.orderNumber];
  if (row.kind === "billingEntry") return [row.entryNumber, row.invoiceNumber, row.customer?.name];
  if (row.kind === "payment") return [row.paymentNumber, row.invoiceNumber, row.customer?.name];
  return [row.name, row.phone];
}

function Outcome({ text, found: { text: searched, rows, error } }) {
  const done = searched === text;
  let words = t("palette.hint");
  if (isCard(text)) words = t("palette.card");
  else if (text && !done) words = t("palette.searching");
  else if (error) words = explain(error);
  else if (text && !rows.length) words = `${t("nothing.found", { text })} ${t("palette.noneHint")}`;
  else if (text) words = t("palette.found", { count: number(rows.length) });
  return html`<footer><p role="status">${words}</p><p class="palette-keys">${t("palette.keysHint")}</p></footer>`;
}
