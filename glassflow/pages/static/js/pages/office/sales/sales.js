// What customers were sold in the last months, those of the largest amounts first; live.
import { html, useEffect } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { date, month, t } from "../../../core/i18n.js";
import { joinRoom } from "../../../core/live.js";
import { may } from "../../../core/permissions.js";
import { go, query } from "../../../core/router.js";
import { Icon } from "../../../ui/parts.js";
import { address } from "../../../ui/record_list.js";
import { Loaded, useResource } from "../../../ui/use_resource.js";
import { saveCsv } from "../csv.js";
import { Empty } from "../empty.js";
import { Head, Office, OFFICE } from "../layout.js";
import { baht } from "../money.js";
import { byCustomer, FIGURES, SalesTable, titles } from "../sales_table.js";

export const title = "office.sales";
export const styles = ["pages/office/sales/sales"];

const RANGES = ["1", "3", "12", "24"]; // months, as the service takes them
const USUAL = "12";
const readAgain = () => undefined;

export default function Sales() {
  useEffect(() => {
    joinRoom("pricing").catch(() => {}); // the next visit reads them again
  }, []);
  const asked = query.value.get("months");
  const months = RANGES.includes(asked) ? asked : USUAL;
  const sales = useResource(`sales ${months}`, () => [
    async () => (await api(`/sales?months=${months}`)).data,
    { "billing:updated": readAgain, "claim:updated": readAgain },
  ]);
  return html`<${Office}>
    <${Head}><h1 tabindex="-1">${t("office.sales")}</h1><//>
    <nav class="tabs" aria-label=${t("dashboard.range")}>${RANGES.map((one) => html`
      <a key=${one} href=${address({ months: one })} aria-current=${one === months ? "page" : undefined}>${t(`salesrange.${one}`)}</a>`)}</nav>
    <${Loaded} of=${sales}>${() => html`<${Customers} ...${sales.value} isOneMonth=${months === RANGES[0]} />`}<//>
  <//>`;
}

function Customers({ from, rows, total, isOneMonth }) {
  if (!rows.length)
    return html`<${Empty} icon="chart-column" title=${t("office.nothingYet")} hint=${t("sales.noneHint")} />`;
  const isByMonth = !isOneMonth && query.value.get("by") === "month";
  const customers = byCustomer(rows);
  const groups = customers.map(({ months, ...one }) => [
    { ...one, key: one.customer, name: html`<${Name} ...${one} />` },
    ...(isByMonth ? months.map((row) => ({ ...row, key: row.month, name: month(row.month) })) : []),
  ]);
  return html`<section class="card sales" aria-labelledby="since"><header><p id="since"><b>${baht(total.net)}</b> <span class="soft">${t("sales.since", { day: date(new Date(from)) })}</span></p>
      ${!isOneMonth && html`<button type="button" class="quiet-button" aria-expanded=${String(isByMonth)} onClick=${() => go(address({ by: isByMonth ? null : "month" }))}>
        <${Icon} name=${isByMonth ? "minus" : "chevron-down"} />${t(isByMonth ? "sales.hideMonths" : "sales.showMonths")}</button>`}
      <button type="button" class="quiet-button export" onClick=${() => save(customers, isByMonth)}>
        <${Icon} name="download" />${t("export.csv")}</button></header>
    <${SalesTable} label=${t("office.sales")} first=${t("field.customer")} groups=${groups} total=${total} />
    <p class="soft">${t("sales.remakeHint")}</p></section>`;
}

const Name = ({ customer, name }) =>
  may("customers:view") ? html`<a href=${`${OFFICE}/customers/${customer}`}>${name ?? "–"}</a>` : "–";

/** Let the browser store what is shown; without the sums of rows that are in it, as a spreadsheet adds up. */
function save(customers, isByMonth) {
  const figures = (row) => FIGURES.map((name) => Number(row[name]));
  const lines = customers.flatMap(({ name, months, ...sum }) =>
    isByMonth ? months.map((row) => [name ?? "", row.month, ...figures(row)]) : [[name ?? "", ...figures(sum)]],
  );
  const head = [t("field.customer"), ...(isByMonth ? [t("sales.month")] : []), ...titles()];
  saveCsv("sales", [head, ...lines]);
}
