import assert from "node:assert/strict";
import { test } from "node:test";

const { isHeic } = await import("../../../glassflow/pages/static/js/ui/photos.js");

test("a HEIC photo is told by its type, or by its name where the system knows no type", () => {
  const heic = [
    { name: "IMG_1.HEIC", type: "" },
    { name: "a.heif", type: "" },
    { name: "a", type: "image/heic" },
  ];
  const others = [
    { name: "a.jpg", type: "image/jpeg" },
    { name: "a.heic.jpg", type: "" },
    { name: "", type: "" },
  ];
  assert.ok(heic.every(isHeic));
  assert.ok(!others.some(isHeic));
});
