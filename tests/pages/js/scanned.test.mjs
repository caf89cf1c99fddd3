import assert from "node:assert/strict";
import { test } from "node:test";

const { press } = await import("../../../glassflow/pages/static/js/ui/scanned.js");

/** What a selector finds, as a page or a dialog with `elements` by their selectors. */
function container(elements) {
  return {
    isClosed: false,
    close() {
      this.isClosed = true;
    },
    querySelectorAll: (selector) => elements[selector] ?? [],
  };
}

function button({ disabled = false, isShown = true } = {}) {
  const one = { disabled, presses: 0, getClientRects: () => (isShown ? [{}] : []) };
  one.click = () => (one.presses += 1);
  return one;
}

const MAIN = ".main-button:not(.danger)";
const DANGER = ".main-button.danger, [data-card=CONFIRM]";

test("the card for the next step presses the only main button that can be pressed", () => {
  const [one, disabled, hidden] = [button(), button({ disabled: true }), button({ isShown: false })];
  assert.equal(press("NEXT", container({ [MAIN]: [disabled, hidden, one] })), true);
  assert.deepEqual(
    [one, disabled, hidden].map(({ presses }) => presses),
    [1, 0, 0],
  );
});

test("of two main buttons a card presses neither", () => {
  const both = [button(), button()];
  assert.equal(press("NEXT", container({ [MAIN]: both })), false);
  assert.deepEqual(
    both.map(({ presses }) => presses),
    [0, 0],
  );
});

test("what cannot be taken back needs the card that confirms it", () => {
  const danger = button();
  const page = container({ [DANGER]: [danger] });
  assert.equal(press("NEXT", page), false);
  assert.equal(press("CONFIRM", page), true);
  assert.equal(danger.presses, 1);
});

test("in front of a dialog a card presses nothing of the page", () => {
  const [behind, inside] = [button(), button()];
  const dialog = container({ [MAIN]: [inside] });
  const page = container({ [MAIN]: [behind], "[data-card=COPY]": [behind], "dialog[open]": [dialog] });
  assert.equal(press("NEXT", page), true);
  assert.equal(press("COPY", page), false);
  assert.deepEqual([behind.presses, inside.presses], [0, 1]);
  for (const card of ["BACK", "UNDO-VIEW"]) {
    dialog.isClosed = false;
    assert.equal(press(card, page), true);
    assert.equal(dialog.isClosed, true);
  }
});

test("back without a dialog is the link back; a card of a defect presses nothing", () => {
  const link = button();
  const page = container({ ".back": [link] });
  assert.equal(press("BACK", page), true);
  assert.equal(press("UNDO-VIEW", page), false);
  assert.equal(press("DEFECT-SCRATCH", page), false);
  assert.equal(link.presses, 1);
});
