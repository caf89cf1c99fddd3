// What the pages import from vendor/idb.js: IndexedDB with promises.
export { openDB } from "idb";
