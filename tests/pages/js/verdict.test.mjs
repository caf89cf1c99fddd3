import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = "../../../glassflow/pages/static/js";
await import("./load_texts.mjs");
const { default: texts } = await import("../../../glassflow/pages/static/texts/shared.en.js");
const { setLang } = await import(`${STATIC}/core/preferences.js`);
const { nameOf, namesOf } = await import(`${STATIC}/core/station_names.js`);
const { explainReason, reasonOf } = await import(`${STATIC}/ui/verdict.js`);

test("a refusal is explained with its facts, in the language of the page", () => {
  const reason = reasonOf({
    status: 400,
    code: "WRONG_STATION",
    message: "…",
    errors: {
      code: "WRONG_STATION",
      currentStation: { _id: "1", name: "ล้างกระจก (Washing)" },
      givenStation: { _id: "2", name: "เจียรขอบ (Edging)" },
    },
  });
  setLang("th");
  assert.equal(explainReason(reason), "กระจกแผ่นนี้อยู่ที่ ล้างกระจก ไม่ใช่ เจียรขอบ");
  setLang("en");
  assert.equal(explainReason(reason), "This pane is at Washing, not at Edging.");
});

test("every sentence is whole, also where a fact is missing", () => {
  for (const language of ["th", "en"]) {
    setLang(language);
    for (const key of Object.keys(texts).filter((one) => one.startsWith("verdict."))) {
      const sentence = explainReason({ code: key.replace("verdict.", "") });
      assert.doesNotMatch(sentence, /undefined|null|[{}]/, key);
    }
  }
});

test("an answer without a code is explained by its status, else by its own words", () => {
  assert.equal(reasonOf({ status: 404 }).code, "NOT_FOUND");
  assert.equal(reasonOf({ status: 503 }).code, "BUSY");
  assert.equal(reasonOf({}).code, "UNREACHABLE");
  const faults = [{ field: "quantity", message: "Must be at least 1" }];
  assert.equal(explainReason(reasonOf({ status: 400, faults })), "Must be at least 1");
  assert.equal(explainReason(reasonOf({ status: 400, code: "NEW_CODE", message: "new" })), "new");
});

test("a station's name in two languages begins with that of the page", () => {
  const names = (name) => namesOf({ name });
  setLang("th");
  assert.deepEqual(names("ตัดกระจก (Cutting)"), ["ตัดกระจก", "Cutting"]);
  assert.deepEqual(names("Cutting (ตัดกระจก)"), ["ตัดกระจก", "Cutting"]);
  setLang("en");
  assert.deepEqual(names("ตัดกระจก (Cutting) "), ["Cutting", "ตัดกระจก"]);
  assert.deepEqual(names("Cutting (ตัดกระจก)"), ["Cutting", "ตัดกระจก"]);
  // one language, and a remark
  for (const one of ["โต๊ะ 2", "Saw (old)", "เจียร (2)", "ตัด (เครื่อง CNC)"]) assert.deepEqual(names(one), [one, ""]);
  assert.equal(nameOf(undefined), "");
});
