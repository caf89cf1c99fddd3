import assert from "node:assert/strict";
import { test } from "node:test";
import "./service.mjs";

const { secureAddress } = await import("../../../glassflow/pages/static/js/pages/secure/secure.js");

test("the address over https has a name that the certificate is for", () => {
  const facts = { port: 8443, names: ["localhost", "127.0.0.1", "::1", "pc.local", "fd00::1"] };
  assert.equal(secureAddress(facts, "pc.local"), "https://pc.local:8443/floor/");
  assert.equal(secureAddress(facts, "localhost"), "https://localhost:8443/floor/");
  assert.equal(secureAddress(facts, "[fd00::1]"), "https://[fd00::1]:8443/floor/");
  assert.equal(secureAddress(facts, "192.168.1.9"), "https://pc.local:8443/floor/");
  assert.equal(secureAddress({ port: 1, names: [] }, "a.lan"), "https://a.lan:1/floor/");
});
