// Refusals in the language of the page.
import assert from "node:assert/strict";
import { test } from "node:test";

const { request, Refused, inWords } = await import("../../../glassflow/pages/static/js/core/api.js");
const { setLang } = await import("../../../glassflow/pages/static/js/core/preferences.js");

const ENVELOPE = {
  success: false,
  message: "Validation failed",
  localMessage: "ข้อมูลไม่ถูกต้อง",
  errors: [
    { field: "name", message: "Missing", localMessage: "ต้องกรอกช่องนี้" },
    { field: "a", message: "x" },
  ],
};

function answering(envelope) {
  const asked = [];
  globalThis.fetch = async (path, { headers }) => {
    asked.push(headers["Accept-Language"]);
    return { ok: false, status: 400, headers: new Headers(), json: async () => envelope };
  };
  return asked;
}

test("a request asks for the language of the page, and its refusal has the words in it", async () => {
  const asked = answering(ENVELOPE);
  const error = await request("/api/customers").catch((one) => one);
  assert.ok(error instanceof Refused);
  assert.equal(error.message, "ข้อมูลไม่ถูกต้อง");
  assert.deepEqual(
    error.faults.map((one) => one.message),
    ["ต้องกรอกช่องนี้", "x"],
  );
  setLang("en");
  await request("/api/customers").catch((one) => one);
  assert.deepEqual(asked, ["th", "en"]);
  setLang("th");
});

test("a refusal without words of its own keeps its message and its code", async () => {
  answering({ success: false, message: "busy", errors: { code: "BUSY" } });
  const error = await request("/api/customers").catch((one) => one);
  assert.deepEqual([error.message, error.code, error.faults], ["busy", "BUSY", []]);
  assert.deepEqual(inWords({ code: "X", message: "m" }), { code: "X", message: "m" });
});
