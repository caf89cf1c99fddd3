// What the floor pages import from vendor/idb.js: IndexedDB with promises.
export { openDB } from "idb";
