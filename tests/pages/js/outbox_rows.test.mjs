import assert from "node:assert/strict";
import { mock, test } from "node:test";

const { Rows } = await import("../../../glassflow/pages/static/js/core/outbox_rows.js");

const QUOTA = new DOMException("full", "QuotaExceededError");
const LOST = new DOMException("Connection to Indexed Database server lost", "UnknownError");

/** A database as vendor/idb.js gives it, of which each opening is another connection. */
class Disk {
  rows = new Map();
  durabilities = [];
  opened = 0;
  fault = null; // of every request of the connections that are open

  open = async () => {
    const number = (this.opened += 1);
    const check = () => {
      if (this.fault && (this.fault !== LOST || number < this.working)) throw this.fault;
    };
    const store = {
      add: async (row) => {
        check();
        const n = this.rows.size + 1;
        this.rows.set(n, { ...row, n });
        return n;
      },
      get: async (n) => (check(), this.rows.get(n)),
      put: async (row) => (check(), this.rows.set(row.n, row)),
      getAll: async () => (check(), [...this.rows.values()]),
      delete: async (n) => (check(), this.rows.delete(n)),
    };
    return {
      transaction: (_, mode, options) => {
        if (options) this.durabilities.push(options.durability);
        return { store, done: Promise.resolve() };
      },
      getAll: async () => (check(), [...this.rows.values()]),
      delete: async (_, n) => (check(), this.rows.delete(n)),
    };
  };

  /** The browser loses the connections that are open; one that is opened later works. */
  loseConnection({ forEver = false } = {}) {
    [this.fault, this.working] = [LOST, forEver ? Infinity : this.opened + 1];
  }
}

const paths = async (rows) => (await rows.all()).map(({ path }) => path);

async function quietly(run) {
  const error = mock.method(console, "error", () => {});
  try {
    return await run();
  } finally {
    error.mock.restore();
  }
}

test("a row is on the disk when it is stored", async () => {
  const disk = new Disk();
  await new Rows(disk.open).add({ path: "/a" });
  assert.deepEqual(disk.durabilities, ["strict"]);
  assert.deepEqual(await paths(new Rows(disk.open)), ["/a"]);
});

test("what follows a row without space stays behind it: a scan behind its photo", async () => {
  const disk = new Disk();
  const rows = new Rows(disk.open);
  await rows.add({ path: "/panes/1/scan" });
  disk.fault = QUOTA;
  await quietly(() => rows.add({ path: "/attachments" }));
  disk.fault = null;
  const n = await rows.add({ path: "/panes/2/scan" });
  assert.deepEqual(await paths(rows), ["/panes/1/scan", "/attachments", "/panes/2/scan"]);
  await rows.change(n, (row) => ({ ...row, refusal: 1 }));
  assert.equal((await rows.all()).at(-1).refusal, 1);
  for (const row of await rows.all()) await rows.delete(row.n);
  await rows.add({ path: "/b" });
  assert.equal(disk.rows.size, 1);
});

test("the database is opened again where the browser has lost it without a word", async () => {
  const disk = new Disk();
  const rows = new Rows(disk.open);
  const first = await rows.add({ path: "/a" });
  for (const use of [
    () => rows.all(),
    () => rows.add({ path: "/b" }),
    () => rows.change(first, (row) => ({ ...row, path: "/c" })),
    () => rows.delete(first),
  ]) {
    disk.loseConnection();
    await use();
  }
  assert.deepEqual(await paths(rows), ["/b"]);
});

test("rows are kept in memory and read there while the browser has no database", async () => {
  const disk = new Disk();
  const rows = new Rows(disk.open);
  await rows.add({ path: "/a" });
  disk.loseConnection({ forEver: true });
  await quietly(async () => {
    await rows.add({ path: "/b" });
    assert.deepEqual(await paths(rows), ["/b"]);
  });
  disk.fault = null;
  assert.deepEqual(await paths(rows), ["/a", "/b"]);
});

test("a row that another tab has removed is not changed", async () => {
  const disk = new Disk();
  const n = await new Rows(disk.open).add({ path: "/a" });
  const rows = new Rows(disk.open);
  disk.rows.delete(n);
  assert.equal(await rows.change(n, (row) => ({ ...row, refusal: 1 })), undefined);
  assert.deepEqual(await rows.all(), []);
});

test("chosen rows are removed together, also those in memory, and from the disk", async () => {
  const disk = new Disk();
  for (const rows of [new Rows(disk.open), new Rows()]) {
    for (const path of ["/a", "/b", "/c"]) await rows.add({ path });
    disk.fault = QUOTA;
    await quietly(() => rows.add({ path: "/d" })); // in memory
    disk.fault = null;
    await rows.remove((all) => all.filter(({ path }) => "/b/d".includes(path)));
    assert.deepEqual(await paths(rows), ["/a", "/c"]);
    await rows.remove(() => []);
    assert.deepEqual(await paths(rows), ["/a", "/c"]);
  }
  assert.ok(disk.durabilities.every((one) => one === "strict"));
});

test("the numbers of rows in memory are another tab's neither", async () => {
  const numbers = await Promise.all(Array.from({ length: 20 }, () => new Rows().add({})));
  assert.equal(new Set(numbers).size, 20);
  assert.ok(numbers.every((n) => Number.isSafeInteger(n) && n > 1e15));
});
