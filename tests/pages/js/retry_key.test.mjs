import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answer, answerLogin, calls, forget, refuse } from "./service.mjs";

const STATIC = "../../../glassflow/pages/static/js/core";
const { logIn } = await import(`${STATIC}/session.js`);
const { RetryKey } = await import(`${STATIC}/retry_key.js`);

const BODY = { material: "m1", quantity: 2 };
const keys = () => calls.map(({ headers }) => headers["Idempotency-Key"]);

answerLogin();
await logIn("nok", "secret");
beforeEach(forget);

test("a request without an answer is sent again with its key, one that is answered is another one", async () => {
  const retryKey = new RetryKey();
  await assert.rejects(retryKey.post("/withdrawals", BODY)); // no network
  for (const [status, headers] of [
    [503, {}],
    [409, { "Retry-After": "1" }],
    [429, {}],
  ]) {
    refuse(status, "later", headers); // the first one may still be carried out
    await assert.rejects(retryKey.post("/withdrawals", BODY));
  }
  answer(413, "<html>a proxy's</html>");
  await assert.rejects(retryKey.post("/withdrawals", BODY));
  answer(201, { success: true, data: { withdrawalNumber: "WDW-0001" } });
  assert.equal((await retryKey.post("/withdrawals", BODY)).withdrawalNumber, "WDW-0001");
  refuse(400);
  await assert.rejects(retryKey.post("/withdrawals", BODY));
  answer(201, { success: true, data: {} });
  await retryKey.post("/withdrawals", BODY);
  const [first, ...others] = keys();
  const [refused, last] = others.splice(5);
  assert.ok(others.every((key) => key === first));
  assert.equal(new Set([first, refused, last]).size, 3);
  assert.deepEqual([calls[0].path, JSON.parse(calls[0].body)], ["/api/withdrawals", BODY]);
});

test("the same body for another path is another request", async () => {
  const retryKey = new RetryKey();
  for (const id of ["r1", "r2"]) await assert.rejects(retryKey.post(`/requests/${id}/attachments`, BODY));
  assert.equal(new Set(keys()).size, 2);
});
