// A template as the service prints it, asked for while it is changed.
import { useEffect, useRef, useState } from "../../../../vendor/ui.js";
import { api } from "../../../core/api.js";
import { same } from "../../../ui/form_values.js";

const ASK_AFTER_MS = 300; // of a pause in typing

/**
 * The service's answer to a template that is not stored: {answer, of, error, asking, again}.
 * `of` is the template of the answer, which may be an older one; `template` is null while it
 * has no size.
 */
export function useRendered(template, pane, dpi) {
  const asked = template && JSON.stringify({ ...template, pane, dpi });
  const [state, setState] = useState({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!asked) return undefined;
    let current = true;
    setState((before) => ({ ...before, asking: true }));
    const timer = setTimeout(
      async () => {
        const next = await api("/sticker-templates/preview", { method: "POST", body: JSON.parse(asked) }).then(
          ({ data }) => ({ answer: data, of: template }),
          (error) => ({ error }),
        );
        if (current) setState((before) => ({ ...before, error: null, asking: false, ...next }));
      },
      state.answer ? ASK_AFTER_MS : 0,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asked, attempt]);
  return { ...state, again: () => setAttempt(attempt + 1) };
}

/**
 * The elements of a template in mm, as the service reads them, and null until it has said
 * how: [plain, own]. `own(list, plain)` notes the list that is stored of elements in mm.
 * @returns {[any[] | null, (list: any[], plain: any[]) => any[], boolean]}
 */
export function usePlain(elements, rendered) {
  const [made] = useState(() => new WeakMap());
  const last = useRef({ raw: [], plain: [] });
  const own = (list, plain) => [made.set(list, plain), list][1];
  if (made.has(elements)) last.current = { raw: elements, plain: made.get(elements) };
  else if (rendered.of?.elements === elements) last.current = { raw: elements, plain: rendered.answer.elements };
  else if (same(last.current.raw, elements)) last.current.raw = elements; // saved, and read again
  return [last.current.raw === elements ? last.current.plain : null, own, made.has(elements)];
}
