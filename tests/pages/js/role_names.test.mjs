import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const JS = new URL("../../../glassflow/pages/static/js/", import.meta.url);
await import("./load_texts.mjs");
const { setLang } = await import(new URL("core/preferences.js", JS));
const { roleDescription, roleName } = await import(new URL("core/role_names.js", JS));
const SEEDS = JSON.parse(readFileSync(new URL("../../../seeds/roles.json", import.meta.url), "utf8"));
const THAI = /[ก-๙]/;

test("the roles of a new store have names and descriptions in the language of the page", () => {
  for (const role of SEEDS) {
    setLang("th");
    assert.match(roleName(role), THAI, role.name);
    assert.equal(roleDescription(role), role.description);
    setLang("en");
    assert.equal(roleName(role), role.name);
    assert.doesNotMatch(roleDescription(role), THAI, role.name);
  }
});

test("a Thai name is found by the search of the service, which knows what is stored", () => {
  setLang("th");
  for (const role of SEEDS) assert.ok(role.description.includes(roleName(role)), role.name);
});

test("other roles, and what was changed, are shown as they are stored", () => {
  setLang("th");
  assert.equal(roleName({ name: "worker" }), "worker");
  assert.equal(roleDescription({ description: "ผู้ดูแลระบบ" }), "ผู้ดูแลระบบ");
  assert.equal(roleDescription({ description: "" }), "");
});
