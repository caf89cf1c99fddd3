// The designer of a label: tools, the label in mm, what is chosen on it, and how it is printed.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../../../vendor/ui.js";
import { t } from "../../../core/i18n.js";
import { same } from "../../../ui/form_values.js";
import { Icon } from "../../../ui/parts.js";
import { Canvas } from "./canvas.js";
import { ElementList } from "./element_list.js";
import { newElement, replaced, restacked, stored, valuesOf, withCopy, without } from "./elements.js";
import { frameOf, moved } from "./geometry.js";
import { EMPTY, ended, recorded, redone, undone } from "./history.js";
import { keyOf } from "./keys.js";
import { Printed } from "./printed.js";
import { Properties } from "./properties.js";
import { Tools } from "./tools.js";
import { usePlain, useRendered } from "./use_rendered.js";

const STATE = ["width", "height", "elements"];
const stateOf = (values) => Object.fromEntries(STATE.map((name) => [name, values[name]]));

/** `values` and `set(name, value)` are those of the form; `saves` counts how often it was saved. */
export function Designer({ values, set, saves, readOnly }) {
  const { name, width, height, elements } = values;
  const [pane, setPane] = useState(null);
  const [dpi, setDpi] = useState(203);
  const [chosen, setChosen] = useState(-1);
  const [grid, setGrid] = useState(1);
  const template = width > 0 && height > 0 ? { name: name?.trim() || "–", width, height, elements } : null;
  const rendered = useRendered(template, pane?.id ?? null, dpi);
  const [plain, own, isOwn] = usePlain(elements, rendered);
  const foreign = useForeign(elements, isOwn, rendered, saves);
  const [history, setHistory, seen] = useHistory(values);
  const [root, stage] = [useRef(), useRef()];
  const label = { width, height };

  const restore = (found) => {
    if (!found) return;
    const [next, state] = found;
    setHistory(next);
    seen.current = state;
    for (const key of STATE) if (state[key] !== values[key]) set(key, state[key]);
    if (state.elements[chosen]?.id !== elements[chosen]?.id) setChosen(-1);
  };
  const commit = (next, tag = null) => {
    const list = own(stored(next), next);
    setHistory((before) => recorded(before, stateOf(values), tag));
    seen.current = { ...stateOf(values), elements: list };
    set("elements", list);
  };
  const element = plain?.[chosen] ?? null;
  const act = {
    undo: () => restore(undone(history, stateOf(values))),
    redo: () => restore(redone(history, stateOf(values))),
    add: (kind, given) => act.place(newElement(kind, plain, label, given)),
    drop: (kind, given, [x, y], isFree) => {
      const made = newElement(kind, plain, label, given);
      const { x: left, y: top, width, height } = frameOf(made, label);
      act.place(moved(made, label, x - left - width / 2, y - top - height / 2, isFree ? 0 : grid));
    },
    place: (made) => [commit([...plain, made]), setChosen(plain.length)],
    change: (next, tag) => commit(replaced(plain, chosen, next), tag && `${chosen} ${tag}`),
    move: (dx, dy, tag) => element && act.change(moved(element, label, dx, dy), tag),
    copy: () => element && [commit(withCopy(plain, chosen, label)), setChosen(plain.length)],
    remove: () => element && [commit(without(plain, chosen)), setChosen(-1)],
    restack: (by) => {
      const next = restacked(plain, chosen, by);
      if (next !== plain) [commit(next), setChosen(chosen + by)];
    },
    choose: (index) => [setChosen(index), setHistory(ended)],
    settle: () => setHistory(ended),
  };
  useKeys(root, act, element, readOnly || !plain);

  if (!template) return html`<p class="soft">${t("stickers.noSize")}</p>`;
  const fields = rendered.answer?.fields ?? [];
  const shown = { elements: plain ?? [], label, values: valuesOf(fields), chosen, readOnly };
  return html`<div class="designer" ref=${root} data-asking=${rendered.asking ? "" : undefined}>
    ${foreign && html`<p class="foreign" role="note"><${Icon} name="triangle-alert" /><span>${t(isOwn ? "stickers.foreignChanged" : "stickers.foreign")}</span></p>`}
    ${!readOnly && html`<${Tools} act=${act} fields=${fields} history=${history} grid=${grid} onGrid=${setGrid}
      label=${label} stage=${stage} disabled=${!plain} />`}
    ${plain ? html`<${Canvas} ...${shown} grid=${grid} act=${act} stage=${stage} />`
      : html`<div class="canvas"><div class="stage-area" aria-busy="true">${rendered.error ? "" : t("stickers.opening")}</div></div>`}
    <div class="panel">
      ${element && !readOnly && html`<${Properties} key=${chosen} element=${element} label=${label} fields=${fields} act=${act}
        count=${plain.length} index=${chosen} />`}
      ${plain && html`<${ElementList} ...${shown} fields=${fields} answer=${rendered.answer} onChoose=${act.choose} />`}
    </div>
    <${Printed} rendered=${rendered} label=${label} pane=${pane} onPane=${setPane} dpi=${dpi} onDpi=${setDpi} />
  </div>`;
}

/**
 * [history, setHistory, seen]; what the form changes by itself is a step, too.
 * @returns {[any, (next: any) => void, { current: any }]}
 */
function useHistory(values) {
  const [history, setHistory] = useState(EMPTY);
  const seen = useRef(stateOf(values));
  // before the next key: a later effect would see an old state, and take it for a change
  useLayoutEffect(() => {
    const names = STATE.filter((name) => !same(seen.current[name], values[name]));
    if (names.length) setHistory((before) => recorded(before, seen.current, `form ${names}`));
    if (names.length) [seen.current] = [stateOf(values)];
  }, [values.width, values.height, values.elements]);
  return [history, setHistory, seen];
}

/** Whether the stored template is of another program: saved changes rewrite it. */
function useForeign(elements, isOwn, rendered, saves) {
  const [foreign, setForeign] = useState(false);
  useEffect(() => {
    if (!isOwn && rendered.of?.elements === elements) setForeign(rendered.answer.isConverted);
  }, [rendered.of]);
  useEffect(() => setForeign(false), [saves]);
  return foreign;
}

/** The keys of the designer: they act in it, and where nothing has the focus. */
function useKeys(root, act, element, isOff) {
  const run = useRef();
  run.current = (event) => {
    const isHere = event.target === document.body || root.current?.contains(event.target);
    if (isOff || !isHere || document.querySelector("dialog[open]")) return;
    const isTyping = event.target.closest("input:not([type=checkbox]), textarea, select, [role=combobox]");
    const found = keyOf(event, Boolean(isTyping));
    if (!found || (!element && !["undo", "redo"].includes(found[0]))) return;
    event.preventDefault();
    event.stopPropagation();
    act[found[0]](...found.slice(1));
  };
  useEffect(() => {
    const onKeyDown = (event) => run.current(event);
    addEventListener("keydown", onKeyDown, true);
    return () => removeEventListener("keydown", onKeyDown, true);
  }, []);
}
