// What a notification is about, and where its page is.
const PAGES = {
  pane: "panes",
  order: "orders",
  request: "requests",
  quote: "quotes",
  claim: "claims",
  delivery: "deliveries",
  material: "materials",
  inventory: "stock",
  withdrawal: "withdrawals",
  customer: "customers",
  station: "stations",
};

/** The address of the record that a notification names; undefined where there is no page of it. */
export function subjectOf({ referenceType, referenceId }) {
  const section = PAGES[referenceType?.toLowerCase()];
  return section && referenceId ? `/floor/office/${section}/${encodeURIComponent(referenceId)}` : undefined;
}
