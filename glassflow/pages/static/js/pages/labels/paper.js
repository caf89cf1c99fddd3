// Template, layout, copies and printer; this device keeps the choices.
import { html, useEffect, useState } from "../../../vendor/ui.js";
import { t } from "../../core/i18n.js";
import { bounded, fitting, keepPaper, keptPaper, loadSetup, MAX_NUDGE_MM } from "../../ui/label_paper.js";

const MAX_COPIES = 50;

/** [paper, change(values), setup]; `setup` has the templates, layouts and printers. */
export function usePaper() {
  const [kept, setKept] = useState(keptPaper);
  const [setup, setSetup] = useState({});
  const load = () => loadSetup().then(setSetup, (error) => setSetup({ error, again: load }));
  useEffect(() => void load(), []);
  const change = (values) =>
    setKept((now) => {
      const next = { ...now, ...values };
      if (values.layout !== undefined) next.skip = 0;
      keepPaper(next);
      return next;
    });
  return [fitting(kept, setup), change, setup];
}

export function Paper({ paper, onChange, setup, isOfPanes }) {
  const { layouts = [], templates = [], printers = [] } = setup;
  const isSheet = paper.layout !== "single";
  const nudge = (values) =>
    onChange({ nudges: { ...paper.nudges, [paper.layout]: { x: paper.nudgeX, y: paper.nudgeY, ...values } } });
  return html`<div class="paper-form">
    ${isOfPanes && templates[0] && html`<${Select} name="template" value=${paper.template} onChange=${onChange}
      options=${templates.map((one) => [one._id, `${one.name} · ${one.width} × ${one.height} mm`])} />`}
    <${Select} name="printer" value=${paper.printer} onChange=${onChange}
      options=${[["", t("labels.browser")],
        ...printers.map((one) => [one.name, `${one.name} · ${one.dpi} dpi`])]} />
    ${!paper.printer && html`<${Select} name="layout" value=${paper.layout} onChange=${onChange}
      options=${layouts.map((one) => [one.name, nameOf(one)])} />`}
    ${!paper.printer && !isSheet && html`<${Select} name="dpi" small value=${String(paper.dpi)}
      options=${["203", "300", "600"].map((dpi) => [dpi, `${dpi} dpi`])}
      onChange=${({ dpi }) => onChange({ dpi: Number(dpi) })} />`}
    <${Num} name="copies" value=${paper.copies} low=${1} high=${MAX_COPIES} onChange=${onChange} />
    ${!paper.printer && isSheet && html`
      <${Num} name="skip" value=${paper.skip} low=${0} high=${499} onChange=${onChange} />
      <${Num} name="nudgeX" value=${paper.nudgeX} low=${-MAX_NUDGE_MM} high=${MAX_NUDGE_MM}
        step="0.5" onChange=${({ nudgeX }) => nudge({ x: nudgeX })} />
      <${Num} name="nudgeY" value=${paper.nudgeY} low=${-MAX_NUDGE_MM} high=${MAX_NUDGE_MM}
        step="0.5" onChange=${({ nudgeY }) => nudge({ y: nudgeY })} />`}
  </div>`;
}

function nameOf(layout) {
  if (!layout.columns) return t("labels.single");
  const { columns, rows, cell } = layout;
  return `${layout.name} · ${columns} × ${rows} · ${cell.width} × ${cell.height} mm`;
}

function Select({ name, value, options, small, onChange }) {
  return html`<div class=${small ? "field small" : "field"}><label for=${`label-${name}`}>${t(`labels.${name}`)}</label>
    <select id=${`label-${name}`} value=${value}
      onChange=${(event) => onChange({ [name]: event.target.value })}>
      ${options.map(([key, text]) => html`<option key=${key} value=${key}
        selected=${key === value}>${text}</option>`)}</select></div>`;
}

function Num({ name, value, low, high, step = "1", onChange }) {
  const change = (event) => onChange({ [name]: bounded(event.target.value, low, high, value) });
  return html`<div class="field small"><label for=${`label-${name}`}>${t(`labels.${name}`)}</label>
    <input id=${`label-${name}`} type="number" min=${low} max=${high} step=${step} value=${value}
      inputmode="decimal" onChange=${change} /></div>`;
}
