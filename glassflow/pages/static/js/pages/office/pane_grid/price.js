// What the rows of a request would cost, as the service calculates it.
import { html, useEffect, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { number, t } from "../../../core/i18n.js";
import { joinRoom } from "../../../core/live.js";
import { idOf } from "../../../core/records.js";
import { may } from "../../../core/permissions.js";
import { gapCount, onEvent } from "../../../core/events.js";
import { numberOf } from "../../../ui/numbers.js";
import { Icon } from "../../../ui/parts.js";
import { baht, money } from "../money.js";
import { totals } from "./totals.js";
import { rowFaults, tooMany } from "./row_faults.js";
import { countOf, drawnCuts, isBlank, readable, toPane } from "./rows.js";

const ASK_AFTER_MS = 250;

/**
 * The price of the rows while they are typed, as `priceOf`; null until it is known. `asked` is
 * {path, customer}, and what else the API at `path` is told.
 */
export function usePrice(rows, { path, customer, ...more }) {
  const asked = { ...more, customer };
  return useAnswer(() => priceOf(rows, asked, path), [JSON.stringify(bodyOf(rows, asked)), useChangesOfPrices()]);
}

/** What `ask` returns, a while after the `inputs` have changed; null until it is known, or if it fails. */
export function useAnswer(ask, inputs) {
  const [answer, setAnswer] = useState(null);
  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      const found = await ask().catch(() => null);
      if (current) setAnswer(found);
    }, ASK_AFTER_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, inputs);
  return answer;
}

/** The answer of the service with `byKey`, the price of each row; null if there is nothing to price. */
async function priceOf(rows, asked, path = "/requests/price") {
  const priced = rows.filter(isPriced);
  if (!priced.length || !may("pricing:view")) return null;
  const { data } = await api(path, { method: "POST", body: bodyOf(rows, asked) });
  const isComplete = data.isComplete && rows.every((row) => isBlank(row) || isPriced(row));
  return { ...data, isComplete, byKey: new Map(data.panes.map((one, index) => [priced[index].key, one])) };
}

/** Whether a row is priced: what is no number in it would be left out of its price. */
const isPriced = (row) => !isBlank(row) && !rowFaults(row).length;

/** The total of these rows in baht, without VAT; undefined while it is not known. */
export async function totalOf(rows, customer) {
  const price = await priceOf(rows, { customer }).catch(() => null);
  return price ? Number(price.total) : undefined;
}

/** The pane of a row as it is priced: also with cut-outs that have no place yet. */
function priceable(row) {
  const placed = (cut) => ({ ...cut, x: Number(cut.x) || 0, y: Number(cut.y) || 0 });
  const pane = toPane(row);
  return { ...readable(row), holes: drawnCuts(pane.holes.map(placed)), notches: drawnCuts(pane.notches.map(placed)) };
}

function bodyOf(rows, { customer, ...more }) {
  const panes = rows.filter(isPriced).map(priceable);
  return { ...more, panes, ...(customer && may("customers:view") && { customer: idOf(customer) }) };
}

/** How often the price list has changed, or may have, since the page was opened. */
function useChangesOfPrices() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!may("pricing:view")) return undefined;
    const changed = () => setCount((before) => before + 1);
    joinRoom("pricing").then(changed, () => {}); // what changed before is not sent
    const stops = ["pricing:updated", "priceList:updated"].map((event) => onEvent(event, changed));
    return () => stops.forEach((stop) => stop());
  }, []);
  return count + gapCount.value;
}

/** The price of a row of the grid, of the prices of `all`, or what it lacks. */
export function RowPrice({ row, price, all }) {
  if (rowFaults(row).length) return html`<span class="soft lacks">${t("requestslacks.correct")}</span>`;
  if (!price) return html`<span class="soft">–</span>`;
  if (price.missing) return html`<span class="soft lacks">${t(`requestslacks.${lackOf(row, price.missing)}`)}</span>`;
  const quantity = Number(numberOf(row.quantity)) || 1;
  const isAgreed = price.lines.some(({ part }) => part === "agreed");
  const note = isAgreed && agreedNote(price.total * quantity, all);
  return html`<span title=${t("requests.each", { amount: money(price.total) })}>${money(price.total * quantity)}</span>
    ${note && html`<small class="soft agreed-note">${note}</small>`}`;
}

/** Glass that was not chosen yet is no glass without a price. */
function lackOf(row, missing) {
  if (missing === "glass" && !row.glassType) return "chooseGlass";
  if (missing === "thickness" && !row.thickness) return "chooseThickness";
  return missing;
}

/** What an agreed price is after surcharge and discount, which apply to all rows; undefined where it stays as it is. */
function agreedNote(amount, price) {
  const [sum, rush, discount] = [price.subtotal, price.rush, price.discountAmount].map(Number);
  if (!amount || !sum || !(rush || discount)) return undefined;
  const after = money((amount * (sum + rush - discount)) / sum);
  if (rush) return t("requests.agreedRush", { amount: after });
  return t("requests.agreedDiscount", { amount: after, percent: number(price.discount) });
}

/** The sum of the rows, line by line up to what the customer pays. */
export function Sum({ price, rows }) {
  const typed = rows.filter((row) => !isBlank(row));
  const many = tooMany(typed);
  const faulty = typed.some((row) => rowFaults(row).length);
  const lacks = [
    (faulty || price?.isComplete === false) && t("requests.notAllPriced"),
    faulty && t("requestslacks.correct"),
  ];
  const lines = price && (price.total > 0 || price.isComplete) ? totals(price) : [];
  return html`<div class="sum" role="status"><p>${many ? html`<span class="field-fault">${many}</span>` : html`<span>${t("requests.count", { count: number(countOf(typed)) })}</span>`}
      ${price?.priceList && html`<span class="soft">${t("field.priceList")} ${price.priceList}</span>`}
      ${lacks[0] && html`<span class="lacks"><${Icon} name="triangle-alert" />${lacks.filter(Boolean).join(": ")}</span>`}
      ${price?.total > 0 && price.isExample && html`<a class="lacks" href="/floor/office/prices"><${Icon} name="triangle-alert" />${t("requests.examplePrices")}</a>`}</p>
    ${lines.length > 0 && html`<dl>${lines.map(([name, amount], at) => html`<dt key=${name}>${name}</dt>
      <dd key=${at}>${at < lines.length - 1 ? baht(amount) : html`<strong>${baht(amount)}</strong>`}</dd>`)}</dl>`}</div>`;
}
