// The pages as they will be printed: pictures of the PDF that is printed. On a sheet the
// first free cell is chosen by clicking it.
import { html, useEffect, useRef, useState } from "../../../vendor/ui.js";
import { number, t } from "../../core/i18n.js";
import { explain } from "../../ui/fault.js";
import { Icon } from "../../ui/parts.js";
import { fetchFile } from "../../ui/files.js";
import { useAttempts } from "./attempts.js";
import { cellsOf } from "./rules.js";

const SETTLED_MS = 250; // of typing, before the next preview is asked for
const SKELETON_MS = 200;

/** `body`: the request for the labels, null where none are chosen; `onSkip(index)`. */
export function Preview({ body, layout, skip, onSkip }) {
  const [page, setPage] = useState(1);
  const [shown, setShown] = useState(null); // {url, page, pages, layout}, all of one answer
  const [error, setError] = useState(null);
  const [isLate, setLate] = useState(false);
  const [attempt, again] = useAttempts(error);
  const wanted = body && JSON.stringify({ ...body, format: "png", page });
  useEffect(() => {
    if (!wanted) return setShown(null);
    let current = true;
    const late = setTimeout(() => setLate(true), SKELETON_MS + SETTLED_MS);
    const timer = setTimeout(async () => {
      try {
        const { blob, pages } = await fetchFile("/labels", JSON.parse(wanted));
        if (!current) return;
        setShown({ url: URL.createObjectURL(blob), page, pages, layout });
        setError(null);
      } catch (failure) {
        if (!current) return;
        if (failure.faults?.some(({ field }) => field === "page")) setPage(1);
        else setError(failure);
      }
      clearTimeout(late);
      setLate(false);
    }, SETTLED_MS);
    return () => {
      current = false;
      clearTimeout(timer);
      clearTimeout(late);
    };
  }, [wanted, attempt]);
  useReleased(shown?.url);
  if (!body) return html`<p class="nothing">${t("labels.noneChosen")}</p>`;
  if (error) {
    return html`<div class="fault" role="alert"><${Icon} name="circle-alert" /><div>
      <p>${error.faults?.[0]?.message ?? explain(error)}</p>
      ${error.requestId && html`<small>${t("fault.request")} <code>${error.requestId}</code></small>`}
      <button type="button" class="quiet-button" onClick=${again}>
        <${Icon} name="rotate-cw" />${t("fault.again")}</button>
    </div></div>`;
  }
  const { page: at, pages } = shown ?? { page, pages: 1 };
  return html`<figure aria-busy=${String(isLate)} class=${isLate ? "late" : ""}>
    <div class=${(shown ?? { layout }).layout?.columns ? "paper sheet" : "paper"}>
      ${shown && html`<img src=${shown.url} alt=${t("labels.pageOf", { page: at, pages })} />`}
      ${!shown && isLate && html`<div class="skeleton"></div>`}
      ${at === 1 && shown && html`<${Cells} layout=${shown.layout} skip=${skip} onSkip=${onSkip} />`}
    </div>
    <figcaption>
      <button type="button" class="icon-button" aria-label=${t("labels.before")}
        disabled=${page <= 1} onClick=${() => setPage(page - 1)}>
        <${Icon} name="chevron-left" /></button>
      <span>${t("labels.pageOf", { page: number(at), pages: number(pages) })}</span>
      <button type="button" class="icon-button" aria-label=${t("labels.next")}
        disabled=${page >= pages} onClick=${() => setPage(page + 1)}>
        <${Icon} name="chevron-right" /></button>
    </figcaption>
  </figure>`;
}

/** Free the memory of a picture once another is shown. */
function useReleased(url) {
  const before = useRef();
  useEffect(() => {
    if (before.current && before.current !== url) URL.revokeObjectURL(before.current);
    before.current = url;
  }, [url]);
}

/** Buttons over the cells of a sheet; those before the first free one are used up. */
function Cells({ layout, skip, onSkip }) {
  const percent = (share) => `${share * 100}%`;
  return cellsOf(layout).map(
    (cell) => html`<button type="button" key=${cell.index}
    class=${cell.index < skip ? "cell used" : "cell"} onClick=${() => onSkip(cell.index)}
    aria-label=${t("labels.firstCell", { number: cell.index + 1 })}
    aria-pressed=${String(cell.index === skip)}
    style=${{ left: percent(cell.left), top: percent(cell.top),
      width: percent(cell.width), height: percent(cell.height) }}>
    ${cell.index < skip && html`<${Icon} name="x" />`}</button>`,
  );
}
