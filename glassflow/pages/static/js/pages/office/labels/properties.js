// What is chosen on the label, by exact numbers and words.
import { html, useRef, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { Icon } from "../../../ui/parts.js";
import { FieldChoice } from "./field_choice.js";
import { FONT_PT, frameOf, isDrawn, placed, quarterTurned, rounded } from "./geometry.js";

const COLORS = ["#000000", "#ffffff"];

export function Properties({ element, label, fields, act, index, count }) {
  const { type } = element;
  const frame = frameOf(element, label);
  const hasPoints = element.points?.length > 0;
  const patch = (name, value) => act.change({ ...element, [name]: value }, name);
  const place = (axis) => (value) =>
    act.change(placed(element, frame, ...(axis === "x" ? [value, frame.y] : [frame.x, value])), axis);
  const size = (name) => (value) =>
    type === "qr" ? act.change({ ...element, width: value, height: value }, "size") : patch(name, value);
  const num = (name, value, onChange, more) =>
    html`<${Num} name=${name} value=${value} onChange=${onChange} ...${more} />`;
  const stays = (event) => event.key === "Enter" && event.target.tagName === "INPUT" && event.preventDefault(); // no saving
  const kind = isDrawn(element) ? type : "unknown";
  return html`<section class="properties" aria-label=${t("stickers.chosen")} onKeyDown=${stays} onFocusOut=${act.settle}>
    <header><h2>${t(`stickerkind.${kind}`)}</h2><${Actions} act=${act} index=${index} count=${count}
      onTurn=${isDrawn(element) && (() => act.change(quarterTurned(element, label)))} /></header>
    ${["text", "qr", "barcode"].includes(type) && html`<${Content} value=${element.content ?? ""} fields=${fields} onChange=${(value) => patch("content", value)} />`}
    ${isDrawn(element) && html`<div class="numbers">
      ${num("x", frame.x, place("x"))}${num("y", frame.y, place("y"))}
      ${!hasPoints && num("width", frame.width, size("width"), { min: 0, label: type === "qr" ? "side" : "width" })}
      ${!hasPoints && type !== "qr" && num("height", frame.height, size("height"), { min: 0 })}
      ${num("rotation", element.rotation ?? 0, (value) => patch("rotation", ((value % 360) + 360) % 360), { unit: "°", step: 1 })}
      ${type === "text" && num("fontSize", element.fontSize ?? FONT_PT, (value) => patch("fontSize", value), { unit: "pt", min: 1, max: 400 })}
      ${(type === "rect" || hasPoints) && num("thickness", element.thickness ?? 0, (value) => patch("thickness", value), { min: 0, step: 0.1 })}
    </div>`}
    ${type === "text" && html`<div class="choices-row">
      <${Choice} name="align" value=${element.align ?? "left"} options=${["left", "center", "right"].map((one) => [one, t(`stickeralign.${one}`)])}
        onChange=${(value) => patch("align", value)} />
      <${Check} name="bold" value=${element.bold === true} onChange=${(value) => patch("bold", value)} />
      <${Check} name="wrap" value=${element.wrap === true} onChange=${(value) => patch("wrap", value)} /></div>`}
    ${["text", "line", "rect"].includes(type) && html`<div class="choices-row">
      <${Choice} name="color" value=${element.color ?? COLORS[0]} options=${colors(element.color)} onChange=${(value) => patch("color", value)} />
      ${type === "rect" && html`<${Choice} name="fill" value=${element.fill ?? ""} options=${[["", t("stickercolor.none")], ...colors(element.fill)]}
        onChange=${(value) => patch("fill", value || null)} />`}</div>`}
  </section>`;
}

function colors(value) {
  const known = COLORS.map((one, index) => [one, t(`stickercolor.${["black", "white"][index]}`)]);
  return value && !COLORS.includes(value) ? [...known, [value, String(value)]] : known;
}

function Actions({ act, index, count, onTurn }) {
  const button = (name, icon, run, possible = true) => html`<button type="button" class="icon-button"
    data-act=${name} disabled=${!possible} aria-label=${t(`stickers.${name}`)} title=${t(`stickers.${name}`)} onClick=${run}><${Icon} name=${icon} /></button>`;
  return html`<div class="actions">
    ${button("forward", "bring-to-front", () => act.restack(1), index < count - 1)}
    ${button("backward", "send-to-back", () => act.restack(-1), index > 0)}
    ${onTurn && button("turn", "rotate-cw", onTurn)}
    ${button("copy", "copy", act.copy)}
    ${button("remove", "trash-2", act.remove)}</div>`;
}

/** The text, and fields that are put where the cursor is. */
function Content({ value, fields, onChange }) {
  const input = useRef();
  const insert = (name) => {
    const { selectionStart: start, selectionEnd: end } = input.current;
    onChange(`${value.slice(0, start)}{{${name}}}${value.slice(end)}`);
    input.current.focus();
  };
  return html`<div class="content"><label for="design-content">${t("stickers.content")}</label>
    <textarea id="design-content" ref=${input} rows="2" value=${value} onInput=${(event) => onChange(event.target.value)}></textarea>
    <${FieldChoice} id="design-insert" label=${t("stickers.insertField")} fields=${fields} onChoose=${insert} /></div>`;
}

/** A number that is taken as it is typed; what was typed is shown while it is that number. */
function Num({ name, label = name, value, unit = t("stickers.unit"), min, max, step = 0.5, onChange }) {
  const [typed, setTyped] = useState(null); // {text, value}
  const onInput = (event) => {
    const { value: text, valueAsNumber: next } = event.target;
    const isValid = Number.isFinite(next) && !(next < min) && !(next > max);
    setTyped({ text, value: isValid ? next : value });
    if (isValid) onChange(next);
  };
  const shown = typed && typed.value === value ? typed.text : String(rounded(value));
  return html`<div class="num"><label for=${`design-${name}`}>${t(`stickers.${label}`)}</label>
    <span><input id=${`design-${name}`} type="number" inputmode="decimal" step=${step} min=${min} max=${max} value=${shown}
      onInput=${onInput} onBlur=${() => setTyped(null)} /><i>${unit}</i></span></div>`;
}

const Choice = ({
  name,
  value,
  options,
  onChange,
}) => html`<div class="num"><label for=${`design-${name}`}>${t(`stickers.${name}`)}</label>
  <select id=${`design-${name}`} onChange=${(event) => onChange(event.target.value)}>${options.map(([key, text]) => html`
    <option key=${key} value=${key} selected=${key === value}>${text}</option>`)}</select></div>`;

const Check = ({
  name,
  value,
  onChange,
}) => html`<label class="check"><input type="checkbox" id=${`design-${name}`} checked=${value}
  onChange=${(event) => onChange(event.target.checked)} />${t(`stickers.${name}`)}</label>`;
