// Take material for the pane out of the stock.
import { html, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { STOCK_TYPES } from "../../core/record_terms.js";
import { RetryKey } from "../../core/retry_key.js";
import { Icon } from "../../ui/parts.js";
import { Reason, reasonOf } from "../../ui/verdict.js";
import { Option } from "./defect_sheets.js";
import { Sheet } from "../scan_page/sheet.js";

// of the page: who closes the sheet without an answer, and tries again, takes it only once
const retryKey = new RetryKey();
const idOf = (reference) => reference?._id ?? reference;

export function WithdrawSheet({ desk, card: { number: shown, pane } }) {
  const [stockType, setStockType] = useState("Raw");
  const [state, setState] = useState({});
  const material = pane.material ?? pane.order?.material;
  const submit = async (event) => {
    event.preventDefault();
    const { quantity, notes } = event.target.elements;
    setState({ sending: true });
    const body = {
      material: idOf(material),
      quantity: Number(quantity.value),
      stockType,
      notes: notes.value,
      panes: [pane._id],
      ...(pane.order && { order: idOf(pane.order) }),
    };
    try {
      setState({ made: await retryKey.post("/withdrawals", body) });
    } catch (error) {
      setState({ reason: reasonOf(error) });
    }
  };
  const title = t("station.withdrawTitle", { number: shown });
  if (!material || state.made)
    return html`<${Sheet} desk=${desk} title=${title}><p class="done" role="status">
    <${Icon} name=${state.made ? "circle-check" : "circle-alert"} />${state.made
      ? t("station.withdrawn", { number: state.made.withdrawalNumber }) : t("station.noMaterial")}</p><//>`;
  return html`<${Sheet} desk=${desk} title=${title} alert=${state.reason && html`<${Reason} reason=${state.reason} />`}>
    <form class="fields" onSubmit=${submit}>
      <label>${t("station.quantity")}<input name="quantity" type="number" inputmode="numeric" min="1" step="1" defaultValue="1" required /></label>
      <fieldset class="options"><legend>${t("station.stockType")}</legend>
        ${STOCK_TYPES.map((type) => html`<${Option} key=${type} checked=${stockType === type}
          onChoose=${() => setStockType(type)} label=${t(`station.stock${type}`)} />`)}</fieldset>
      <label>${t("station.notes")}<input name="notes" type="text" maxlength="500" /></label>
      <button class="main-button" disabled=${state.sending}><${Icon} name=${state.sending ? "hourglass" : "package"} />${t("station.confirmWithdraw")}</button>
    </form>
  <//>`;
}
