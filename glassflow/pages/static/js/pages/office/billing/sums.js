// What billing entries add up to. Without a page.

const SATANG = 100; // of a baht

/**
 * The sums of entries in baht: {net, vat, gross}. The VAT is that of the sum, as an invoice has
 * it and as `services/reports/unbilled.py` adds up; not the sum of the entries' own.
 */
export function sumOf(entries) {
  const nets = new Map(); // satang by percent of VAT
  for (const { net, vatPercent } of entries)
    nets.set(vatPercent, (nets.get(vatPercent) ?? 0) + Math.round(net * SATANG));
  const sum = (values) => values.reduce((before, one) => before + one, 0);
  const net = sum([...nets.values()]);
  const vat = sum([...nets].map(([percent, part]) => halfUp((part * percent) / 100)));
  return { net: net / SATANG, vat: vat / SATANG, gross: (net + vat) / SATANG };
}

/** Rounded, a half away from zero. */
const halfUp = (value) => Math.sign(value) * Math.round(Math.abs(value));
