// Where a person begins to type in the form of a new record.
import { useEffect } from "../../../vendor/ui.js";

/** Moves the focus from the heading of a new page to a field, by its id. */
export function useFirstField(id) {
  useEffect(() => {
    // elsewhere somebody types already
    if (document.activeElement?.matches("body, h1")) document.getElementById(id)?.focus();
  }, []);
}
