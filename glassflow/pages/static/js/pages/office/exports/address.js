// Where a saved export leads: its list, on the tab and with the filters that it was saved with.

// A page shows a tab of its own where its address names none.
const ofStatus = (given) => {
  given.set("show", given.get("status") ?? "all");
  given.delete("status");
};
const TABS = {
  orders: (given) => given.has("due") || given.set("due", "all"),
  claims: ofStatus,
  "billing-entries": ofStatus,
  inventories: (given) => given.delete("sort"), // the page has the materials of the lots
};

/** The address of the page `path` with the list of a saved export: {resource, query}. */
export function listAddress(path, { resource, query }) {
  const given = new URLSearchParams([...new URLSearchParams(query)].filter(([, value]) => value));
  for (const name of ["fields", "form"]) given.delete(name);
  TABS[resource]?.(given);
  const asked = String(given);
  return asked ? `${path}?${asked}` : path;
}
