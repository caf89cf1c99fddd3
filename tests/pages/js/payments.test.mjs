// Payments: what one is for, as the form has it and as it is sent.
import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { changeBody, check, newBody, purposeOf, toValues } = await import(
  new URL("pages/office/payments/purpose.js", STATIC)
);

const NOTHING = { invoiceNumber: "", request: null, quote: null };

test("a payment is for an invoice, a request, a quote, or on account", () => {
  for (const [named, purpose] of [
    [{}, "account"],
    [{ invoiceNumber: "INV-1" }, "invoice"],
    [{ request: { _id: "r" } }, "request"],
    [{ quote: "q" }, "quote"],
  ])
    assert.equal(purposeOf({ ...NOTHING, ...named }), purpose);
  assert.equal(toValues({ ...NOTHING, amount: 5, quote: "q" }).purpose, "quote");
});

test("a new payment names what was chosen last, and nothing that was typed for another purpose", () => {
  const values = { customer: { _id: "c" }, amount: 5, note: "", invoiceNumber: "INV-1", request: { _id: "r" } };
  const sent = (purpose) => newBody({ ...values, purpose });
  assert.deepEqual(sent("request"), { customer: "c", amount: 5, request: "r" });
  assert.deepEqual(sent("invoice"), { customer: "c", amount: 5, invoiceNumber: "INV-1" });
  assert.deepEqual(sent("account"), { customer: "c", amount: 5 });
});

test("a change of what a payment is for empties what it was for", () => {
  const values = { ...NOTHING, amount: 6, invoiceNumber: "INV-1", request: "r", purpose: "invoice" };
  assert.deepEqual(changeBody(values, { purpose: "invoice", invoiceNumber: "INV-1", amount: 6 }), {
    amount: 6,
    invoiceNumber: "INV-1",
    request: null,
    quote: null,
  });
  const onAccount = { ...values, purpose: "account" };
  assert.deepEqual(changeBody(onAccount, { purpose: "account" }), NOTHING);
  assert.deepEqual(changeBody(values, { note: "x" }), { note: "x" });
});

test("what a payment is for has to be named", () => {
  assert.deepEqual(check({ ...NOTHING, purpose: "invoice" }), ["invoiceNumber"]);
  assert.deepEqual(check({ ...NOTHING, purpose: "request", request: "r" }), []);
  assert.deepEqual(check({ purpose: "account" }), []);
});
