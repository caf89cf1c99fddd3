// What is typed into a form stays, whenever the form is closed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { draw, drawn } from "./document.mjs";
import { FakeStorage } from "./service.mjs";

Object.defineProperty(globalThis, "sessionStorage", { value: new FakeStorage(), configurable: true });
await import("../../../glassflow/pages/static/js/ui/page_icons.js");
await import("./load_texts.mjs");
const { Form, readDraft } = await import("../../../glassflow/pages/static/js/ui/form.js");

test("what was typed is kept although the form is closed before the next frame", async () => {
  const page = draw(Form, { fields: [{ name: "name", label: "Name" }], path: "/customers", draft: "/customers" });
  await new Promise((resolve) => setTimeout(resolve, 200)); // its effects
  const [input] = page.all("input");
  input.value = "Nok";
  input.fire("input");
  await drawn();
  page.end();
  assert.equal(readDraft("/customers")?.values.name, "Nok");
});
