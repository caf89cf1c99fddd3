// Resources in components.
import { effect, html, useEffect, useMemo, useState } from "../../vendor/ui.js";
import { Refused } from "../core/api.js";
import { t } from "../core/i18n.js";
import { resource } from "../core/resource.js";
import { session } from "../core/session.js";
import { explain } from "./fault.js";
import { Icon } from "./parts.js";

const SKELETON_AFTER_MS = 200;
const MOST_KEPT = 20;

const reader = () => session.peek().worker?._id;
const kept = new Map(); // key: the last value, shown while it is read again
effect(() => {
  if (session.value.state === "none") kept.clear();
});

// A page that closes because of a logout keeps nothing: the next worker may not see it.
function keep(key, value, readBy) {
  if (readBy !== reader()) return;
  kept.delete(key);
  if (value !== undefined) kept.set(key, value);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
}

/**
 * The resource that `make()` describes, as [read, handlers, options]; new for each key,
 * which tells it from all others of the pages. The option `fresh` is for what a form
 * begins with, and takes only once: it does not start with the last value.
 */
export function useResource(key, make) {
  const one = useMemo(() => {
    const [read, handlers, options] = make();
    return { ...resource(read, handlers, { ...options, value: kept.get(key) }), readBy: !options?.fresh && reader() };
  }, [key]);
  useEffect(() => {
    const stop = one.start();
    return () => {
      keep(key, one.state.peek().value, one.readBy);
      stop();
    };
  }, [one]);
  return { ...one.state.value, load: one.load, put: one.put };
}

/** The children as soon as there is a value; before, a skeleton, or why there is none. */
export function Loaded({ of: { value, error, load }, missing, children }) {
  const isGone = error instanceof Refused && error.status === 404;
  if (isGone && missing) return missing;
  if (value !== undefined) return html`${error && html`<${Failure} error=${error} onAgain=${load} />`}${children()}`;
  if (!error) return html`<${Skeleton} />`;
  return html`<${Failure} error=${error} onAgain=${load} />`;
}

function Failure({ error, onAgain }) {
  const text = error instanceof Refused && error.status === 403 ? t("loaded.forbidden") : explain(error);
  return html`<div class="fault" role="alert">
    <${Icon} name="circle-alert" />
    <p>${text}${error.requestId && html`<small>${t("fault.request")} <code>${error.requestId}</code></small>`}</p>
    <button type="button" class="quiet-button" onClick=${onAgain}>
      <${Icon} name="rotate-cw" />${t("fault.again")}</button>
  </div>`;
}

/** Grey bars in place of what is being read, once that takes long enough to be seen. */
function Skeleton() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return html`<div class="skeleton" aria-busy="true">
    ${shown && [1, 2, 3, 4, 5, 6].map((n) => html`<i key=${n}></i>`)}
    <span class="visually-hidden" role="status">${shown && t("loaded.loading")}</span>
  </div>`;
}
