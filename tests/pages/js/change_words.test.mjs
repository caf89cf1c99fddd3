import assert from "node:assert/strict";
import { test } from "node:test";

const JS = new URL("../../../glassflow/pages/static/js/", import.meta.url);
await import("./load_texts.mjs");
const { setLang } = await import(new URL("core/preferences.js", JS));
const { actionWord, differences, hiddenWords, labelOf, valueWord } = await import(
  new URL("pages/office/change_words.js", JS)
);
setLang("en");

const FIELDS = [
  { name: "phone", label: "Phone" },
  { name: "source", label: "From", options: [{ value: "a", label: "Lot A" }] },
];
const ID = "0123456789abcdef01234567";

test("of objects only the members that differ are changes, however deep they are", () => {
  const price = { pricePerSqFt: 40, grindingRate: { rough: 5, polished: 9 } };
  const dearer = { pricePerSqFt: 40, grindingRate: { rough: 6, polished: 9 } };
  const changes = [
    { field: "dimensions", from: { width: 5, height: 7 }, to: { width: 6, height: 7 } },
    { field: "createdAt", from: null, to: "2026-11-22T00:00:00Z" },
    { field: "notes", from: null, to: "x" },
    { field: "material", from: { _id: "1", name: "A" }, to: { _id: "2", name: "B" } },
    { field: "glassPrices", from: { Clear: { 6.38: price } }, to: { Clear: { 6.38: dearer } } },
  ];
  assert.deepEqual(
    differences(changes).map(({ names, from, to }) => [names.join("/"), from, to]),
    [
      ["dimensions/width", 5, 6],
      ["notes", null, "x"],
      ["material", { _id: "1", name: "A" }, { _id: "2", name: "B" }],
      ["glassPrices/Clear/6.38/grindingRate/rough", 5, 6],
    ],
  );
});

test("of the changes of a request those that were made are named, each with its amount and reason", () => {
  const one = (number, after, reason) => ({ number, before: 1000, after, reason, lines: [], begun: [] });
  const [first, second] = [one(1, 1500.5, "A call"), one(2, 900, "")];
  const [row] = differences([{ field: "changes", from: [first], to: [first, second] }]);
  assert.equal(valueWord(row.names, row.to, [], row.isPart), "2: −100.00");
  assert.equal(valueWord(row.names, [first], []), "1: +500.50, A call");
});

test("of a long list only what was added and removed is named, all of it", () => {
  const keys = ["orders:view", "panes:view", "claims:view", "roles:view", "stations:view", "customers:view", "own:key"];
  const [row] = differences([{ field: "permissions", from: keys, to: [...keys.slice(1), "panes:scan"] }]);
  assert.deepEqual(row, { names: ["permissions"], from: ["orders:view"], to: ["panes:scan"], isPart: true });
  assert.equal(valueWord(row.names, row.to, [], true), "Panes: Scan");
  assert.doesNotMatch(valueWord(row.names, keys, [], true), /…|claims:view/);
  assert.match(valueWord(row.names, keys, [], true), /own:key$/);
  const short = { field: "routing", from: ["a", "b"], to: ["b", "a"] };
  assert.deepEqual(differences([short]), [{ names: ["routing"], from: ["a", "b"], to: ["b", "a"] }]);
});

test("of working hours the spans of a day are named, and the days off that were added and removed", () => {
  const day = (date, name) => ({ date, name });
  const week = { monday: [{ start: "08:00", end: "17:00" }], sunday: [] };
  const rows = differences([
    { field: "week", from: week, to: { ...week, monday: [{ start: "07:00", end: "12:00" }] } },
    { field: "daysOff", from: [day("2026-12-05", "Ours")], to: [day("2026-12-05", "Ours"), day("2027-01-01", "")] },
  ]);
  const fields = [
    { name: "week", label: "Week" },
    { name: "daysOff", label: "Days off" },
  ];
  assert.deepEqual(
    rows.map(({ names, to, isPart }) => [labelOf(names, fields), valueWord(names, to, [], isPart)]),
    [
      ["Week · Monday", "07:00–12:00"],
      ["Days off", "Fri, Jan 1, 2027"],
    ],
  );
});

test("a field has the label of its form, else words for the names that lead to it, else its name", () => {
  assert.equal(labelOf(["phone"], FIELDS), "Phone");
  assert.equal(labelOf(["dimensions", "width"], FIELDS), "Size · Width");
  assert.equal(
    labelOf(["glassPrices", "Clear", "6.38", "pricePerSqFt"], FIELDS),
    "Glass prices · Clear · 6.38 · Baht per ft²",
  );
  assert.equal(labelOf(["stationBreakdown", ID], FIELDS), "Progress by station · another record");
  assert.equal(labelOf(["newerField"], FIELDS), "newer field");
});

test("values are shown as options, names, lists and words, unset ones and unknown ids too", () => {
  assert.equal(valueWord(["source"], "a", FIELDS), "Lot A");
  assert.equal(valueWord(["source"], "customer", []), "Customer");
  assert.equal(valueWord(["defectCode"], "scratch", []), "Scratched");
  assert.equal(valueWord(["decision"], "destroy", []), "Destroy it");
  assert.equal(valueWord(["notes"], "pending", []), "pending"); // typed, no status
  assert.equal(valueWord(["status"], "in_progress", []), "In work");
  assert.equal(valueWord(["stationBreakdown", ID], null, []), "0");
  assert.equal(valueWord(["routeIndex"], 0, []), "1"); // the first step
  assert.equal(valueWord(["order"], { _id: "1", orderNumber: "ORD-1" }, FIELDS), "ORD-1");
  assert.equal(
    valueWord(
      ["panes"],
      [
        { _id: "1", paneNumber: "P-1" },
        { _id: "2", paneNumber: "P-2" },
      ],
      FIELDS,
    ),
    "P-1, P-2",
  );
  assert.equal(valueWord(["glassPrices", "6", "grindingRate"], { rough: 5, polished: 9 }, []), "Rough 5, Polished 9");
  const empty = valueWord(["notes"], null, FIELDS);
  assert.deepEqual(
    ["", undefined, []].map((one) => valueWord(["notes"], one, FIELDS)),
    [empty, empty, empty],
  );
  assert.doesNotMatch(valueWord(["lot"], ID, FIELDS), /0123/);
  assert.equal(hiddenWords(["passwordHash", "tokensValidFrom", "revokedTokens", "lastScan"]), "Password, Logins");
  assert.equal(actionWord("of_a_later_release"), "of_a_later_release");
});
