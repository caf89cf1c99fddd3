// What the page of sessions calls a program.
import assert from "node:assert/strict";
import { test } from "node:test";
import { programOf } from "../../../glassflow/pages/static/js/pages/office/people/sessions.js";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

test("browsers are named with their system, other programs as they are", () => {
  assert.equal(programOf(CHROME), "Chrome, Windows");
  assert.equal(programOf(`${CHROME} Edg/130.0`), "Edge, Windows");
  assert.equal(
    programOf("Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile Safari/604.1"),
    "Safari, iPad",
  );
  assert.equal(programOf("accounting/2.1"), "accounting/2.1");
  assert.equal(programOf(""), "");
});
