// Which panes were handled together last.
const PAUSE_MS = 120_000; // between one pane of a batch and the next

/**
 * The newest uninterrupted series of panes: with no more than two minutes between one and the next.
 * They are given and returned as [{at}], `at` in epoch milliseconds; the newest first.
 */
export function lastBatch(panes) {
  const known = panes.filter(({ at }) => Number.isFinite(at)).sort((a, b) => b.at - a.at);
  const end = known.findIndex(({ at }, i) => i > 0 && known[i - 1].at - at > PAUSE_MS);
  return end < 0 ? known : known.slice(0, end);
}

/** When each pane was last changed: [{...pane, at}]. Of one with a kept scan that is when it was scanned. */
export function withLastChange(panes, scans) {
  const scanned = new Map(scans.map(({ number, at }) => [number, at]));
  return panes.map((pane) => ({ ...pane, at: Date.parse(scanned.get(pane.paneNumber) ?? pane.updatedAt) }));
}
