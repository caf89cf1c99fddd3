// Which entries an export for the accounts has. Without a page.

/**
 * The parameters of the export for what the dialog asks: {which, from, to, invoiceNumber}; null where
 * days or the invoice are missing.
 */
export function chosenBy({ which, from, to, invoiceNumber }) {
  if (which === "new") return {};
  if (which === "invoice") return invoiceNumber?.trim() ? { invoiceNumber: invoiceNumber.trim() } : null;
  return from || to ? { ...(from && { from }), ...(to && { to }) } : null;
}
