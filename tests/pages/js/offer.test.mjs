import assert from "node:assert/strict";
import { test } from "node:test";
import "./service.mjs";

const { linkOf } = await import("../../../glassflow/pages/static/js/pages/offer/offer.js");

test("the address of a link leads to an offer, with the secret in a header", () => {
  const id = "0123456789abcdef01234567";
  assert.deepEqual(linkOf(`#${id}.a-B_9`), { path: `/api/offers/${id}`, headers: { "X-Offer-Secret": "a-B_9" } });
});

test("another address leads to no offer", () => {
  const id = "0123456789abcdef01234567";
  for (const hash of ["", "#", `#${id}`, `#${id}.`, "#x.y", `#${id}/../x.y`, `#${id}.a b`, `#${id}.é`])
    assert.equal(linkOf(hash), null, hash);
});
