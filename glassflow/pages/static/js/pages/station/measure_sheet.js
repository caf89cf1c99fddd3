// "Measure": the size of a pane, compared with what was ordered, before it passes or fails its check.
import { html, useLayoutEffect, useRef, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { findings, inWords, toleranceOf } from "../../ui/measured.js";
import { Icon } from "../../ui/parts.js";
import { Sheet } from "../scan_page/sheet.js";

const FIELDS = ["width", "height", "diagonal1", "diagonal2"];
const KEYS = ["1", "2", "3", "delete", "4", "5", "6", ".", "7", "8", "9", "next", "0"];
const MOST = 7; // characters of a value: 12345.6

export default function MeasureSheet({ desk, card }) {
  const { number, pane } = card;
  const [values, setValues] = useState(() => valuesOf(card.measured));
  const form = useRef();
  const decide = useRef();
  const last = useRef(FIELDS[0]); // the field that had the focus
  useLayoutEffect(() => form.current.elements[FIELDS[0]].focus(), []);
  const change = (name, text) => setValues((now) => ({ ...now, [name]: clean(text) }));
  const next = (event) => {
    event?.preventDefault();
    const following = FIELDS[FIELDS.indexOf(last.current) + 1];
    (following ? form.current.elements[following] : decide.current)?.focus();
  };
  const press = (key) => () => {
    const name = last.current;
    if (key === "next") return next();
    form.current.elements[name].focus();
    return change(name, key === "delete" ? values[name].slice(0, -1) : values[name] + key);
  };
  const measured = measuredOf(values);
  const isHalf = Boolean(values.diagonal1) !== Boolean(values.diagonal2);
  const found = measured ? findings(measured, pane.dimensions ?? {}, pane.dimensionTolerance) : [];
  const outside = found.some((one) => one.outside);
  const fail = () => desk.send({ type: "measured", measured, wrongSize: outside });
  const pass = () => desk.send({ type: "action", action: "qc_pass", body: { measured } });
  return html`<${Sheet} desk=${desk} title=${t("station.measureTitle", { number })}>
    <div class="measuring"><form class="measure" ref=${form} onSubmit=${next} autocomplete="off">
      ${FIELDS.map((name) => html`<label key=${name} data-outside=${isOutside(found, name) ? "" : null}>
        <span>${t(`station.measure_${name}`)} <small>${orderedOf(pane, name)}</small></span>
        <input name=${name} inputmode="none" value=${values[name]} onFocus=${() => (last.current = name)}
          onInput=${({ target }) => change(name, (target.value = clean(target.value)))} /></label>`)}
      <button hidden>${t("station.measure_next")}</button>
    </form>
    <div class="found" role="status"><ul>
      ${found.map((one) => html`<li key=${one.name} data-outside=${one.outside ? "" : null}>
        <${Icon} name=${one.outside ? "x" : one.outside === null ? "ruler" : "check"} />${inWords(one)}</li>`)}
      ${isHalf && html`<li><${Icon} name="circle-alert" />${t("station.bothDiagonals")}</li>`}
      ${!toleranceOf(pane.dimensionTolerance) && html`<li><${Icon} name="circle-alert" />${pane.dimensionTolerance
        ? t("station.toleranceUnread", { tolerance: pane.dimensionTolerance }) : t("station.noTolerance")}</li>`}
    </ul></div>
    <div class="keys" onMouseDown=${(event) => event.preventDefault()}>${KEYS.map((key) => html`
      <button type="button" key=${key} data-key=${key} onClick=${press(key)}
        aria-label=${key in SIGNS ? t(`station.measure_${key}`) : null}>${key in SIGNS
          ? html`<${Icon} name=${SIGNS[key]} />` : key}</button>`)}</div></div>
    <div class="decide">
      ${!outside && html`<button type="button" ref=${decide} class="main-button pass" disabled=${!measured || isHalf} onClick=${pass}>
        <${Icon} name="badge-check" />${t("station.qc_pass")}</button>`}
      <button type="button" ref=${outside ? decide : null} class="main-button fails" disabled=${!measured || isHalf} onClick=${fail}>
        <${Icon} name="x" />${t(outside ? "station.wrongSize" : "station.qc_fail")}</button>
    </div>
  <//>`;
}

const SIGNS = { delete: "arrow-left", next: "arrow-right" };

// What was typed for each field.
function valuesOf({ width = "", height = "", diagonals: [one = "", other = ""] = [] } = {}) {
  return { width: String(width), height: String(height), diagonal1: String(one), diagonal2: String(other) };
}

/** A value as far as it may be one: digits and a point. A gauge that types may use a comma. */
const clean = (text) =>
  text
    .replace(",", ".")
    .replace(/[^\d.]/g, "")
    .replace(/(\..*)\./, "$1")
    .slice(0, MOST);

/** What is sent, in mm; null while nothing was measured. */
function measuredOf({ width, height, diagonal1, diagonal2 }) {
  const measured = {
    ...(Number(width) > 0 && { width: Number(width) }),
    ...(Number(height) > 0 && { height: Number(height) }),
    ...(Number(diagonal1) > 0 && Number(diagonal2) > 0 && { diagonals: [Number(diagonal1), Number(diagonal2)] }),
  };
  return Object.keys(measured).length ? measured : null;
}

const isOutside = (found, field) =>
  found.some(
    ({ name, outside }) => outside && (name === field || (name === "diagonals" && field.startsWith("diagonal"))),
  );

// What was ordered, beside the field.
function orderedOf({ dimensions, dimensionTolerance }, name) {
  const { width, height } = dimensions ?? {};
  const size = { width, height }[name];
  if (size > 0) return `${size} ${dimensionTolerance ?? ""}`.trim();
  return !(name in { width, height }) && width > 0 && height > 0 ? `≈ ${Math.round(Math.hypot(width, height))}` : "";
}
