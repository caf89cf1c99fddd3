// The rows of the outbox: in IndexedDB, so that they survive the page; in memory where the
// browser has none, or no space left.
import { openDB } from "../../vendor/idb.js";
import { KeptDatabase } from "./kept_database.js";

const DATABASE = "glassflow.outbox";
const STORE = "requests";
// What is said to be kept is on the disk: networks and computers may lose power together.
const ON_DISK = { durability: "strict" };
const FIRST_IN_MEMORY = 1e15; // larger than any number that IndexedDB gives

export class Rows {
  #memory = new Map();
  // other numbers than in other tabs, which tell this one what became of theirs
  #next = FIRST_IN_MEMORY + 1000 * Math.floor(1e12 * Math.random());
  #database;

  /** `open(terminated)` opens the database; it calls `terminated` when the browser closes it. */
  constructor(open = globalThis.indexedDB && openDatabase) {
    this.#database = new KeptDatabase(open);
  }

  /** Store a row; return its number, which grows from row to row. */
  async add(row) {
    try {
      // what follows a row without space stays behind it
      const n = this.#memory.size ? undefined : await this.#database.use((database) => add(database, row));
      if (n !== undefined) return n;
    } catch (error) {
      console.error(error);
    }
    this.#next += 1;
    this.#memory.set(this.#next, { ...row, n: this.#next });
    return this.#next;
  }

  /** All rows, oldest first; only those in memory while the browser reads no others. */
  async all() {
    const stored = await this.#database.use((database) => database.getAll(STORE)).catch(console.error);
    return [...(stored ?? []), ...this.#memory.values()];
  }

  /** Replace a row by `alter(row)`, at once for all tabs, and return it; undefined where it is gone. */
  async change(n, alter) {
    const kept = this.#memory.get(n);
    if (kept) return this.#memory.set(n, alter(kept)).get(n);
    return this.#database.use(async (database) => {
      const { store, done } = database.transaction(STORE, "readwrite", ON_DISK);
      const row = await store.get(n);
      const changed = row && alter(row);
      await Promise.all([changed && store.put(changed), done]);
      return changed;
    });
  }

  /** Delete those rows that `choose(rows)` returns, at once for all tabs. */
  async remove(choose) {
    const all = (stored) => [...stored, ...this.#memory.values()];
    // a row in memory is gone before anything else can begin to send it
    const drop = (chosen) => chosen.filter(({ n }) => !this.#memory.delete(n));
    const done = await this.#database.use(async (database) => {
      const { store, done: written } = database.transaction(STORE, "readwrite", ON_DISK);
      const stored = drop(choose(all(await store.getAll())));
      await Promise.all([...stored.map(({ n }) => store.delete(n)), written]);
      return true;
    });
    if (!done) drop(choose(all([])));
  }

  async delete(n) {
    if (!this.#memory.delete(n)) await this.#database.use((database) => database.delete(STORE, n));
  }
}

async function add(database, row) {
  const { store, done } = database.transaction(STORE, "readwrite", ON_DISK);
  const [n] = await Promise.all([store.add(row), done]);
  return n;
}

function openDatabase(terminated) {
  const upgrade = (database) => database.createObjectStore(STORE, { keyPath: "n", autoIncrement: true });
  return openDB(DATABASE, 1, { upgrade, terminated });
}
