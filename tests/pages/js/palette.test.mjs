import assert from "node:assert/strict";
import { test } from "node:test";

const { searchPath } = await import("../../../glassflow/pages/static/js/ui/palette.js");

test("a badge that is scanned into the search is not sent to the service", () => {
  assert.equal(searchPath("PNE-0001"), "/search?q=PNE-0001");
  assert.equal(searchPath("STDPLUS-WORKER:ABC234"), null);
  assert.equal(searchPath(" stdplus-worker:abc234"), null);
});

test("a command card that presses nothing on the page is not searched for", () => {
  assert.equal(searchPath("STDPLUS-DO:NEXT"), null);
});
