// Saved exports: the list that each leads to.
import assert from "node:assert/strict";
import { test } from "node:test";

const STATIC = new URL("../../../glassflow/pages/static/js/", import.meta.url);
const { listAddress } = await import(new URL("pages/office/exports/address.js", STATIC));
const { exportParameters } = await import(new URL("ui/export_list.js", STATIC));

const led = (resource, query) =>
  listAddress(`/floor/office/${resource}`, { resource, query }).replace("/floor/office/", "");

test("an export of all columns has those that the page does not read", () => {
  const page = { page: 2, limit: 50, populate: "customer", fields: "amount,customer", sort: "amount" };
  assert.deepEqual(exportParameters(page, ["status"], true), { sort: "amount" });
  const read = { sort: "amount", form: "readable" };
  assert.deepEqual(exportParameters(page, ["status", "amount"]), { ...read, fields: "status,amount" });
  assert.deepEqual(exportParameters(page), read);
});

test("orders open on the tab of which they were exported", () => {
  assert.equal(
    led("orders", "sort=-createdAt&status=completed&fields=orderNumber,status"),
    "orders?sort=-createdAt&status=completed&due=all",
  );
  assert.equal(led("orders", "customer=c1&due=late&sort="), "orders?customer=c1&due=late");
});

test("claims open on the tab of their status", () => {
  assert.equal(led("claims", "status=approved&source=customer"), "claims?source=customer&show=approved");
  assert.equal(led("claims", "source=customer"), "claims?source=customer&show=all");
});

test("billing entries open on the tab of their status", () =>
  assert.equal(led("billing-entries", "status=void&sort=net&fields=net"), "billing-entries?sort=net&show=void"));

test("other lists open with their search, filters and order", () => {
  assert.equal(
    led("customers", "search=%E0%B8%AA%E0%B8%A7%E0%B8%99&sort=name&fields=name&form=readable"),
    "customers?search=%E0%B8%AA%E0%B8%A7%E0%B8%99&sort=name",
  );
  assert.equal(led("customers", "fields=name"), "customers");
});

test("lots open on the page of the stock, in the order of that page", () => {
  assert.equal(
    listAddress("/floor/office/stock", { resource: "inventories", query: "search=&sort=inventoryNumber&low=true" }),
    "/floor/office/stock?low=true",
  );
});
