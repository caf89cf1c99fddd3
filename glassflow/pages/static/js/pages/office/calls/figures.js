// What the figures of calls say in one sentence. Without a page.

/**
 * The text, as [key, values], that says where machines stood the longest by the figures
 * of `GET /calls/pareto`; `nameOf(row)` names the station of a row, `timeOf(seconds)` a time.
 */
export function sentence({ days, rows, totals }, nameOf, timeOf) {
  if (!totals.calls) return ["calls.nobodyCalled", { days }];
  if (!totals.stops) return ["calls.stoodNone", { days }];
  if (!totals.stoppedSeconds) return ["calls.stoodUnknown", { days, stops: totals.stops }];
  const [most, seconds] = longest(rows);
  const share = seconds / totals.stoppedSeconds;
  const values = { days, station: nameOf(most), time: timeOf(seconds), percent: Math.round(100 * share) };
  if (share === 1) return ["calls.stoodAll", values];
  return [share > 0.5 ? "calls.stoodHalf" : "calls.stoodPart", values];
}

/** A row of the station that stood the longest, over all kinds of calls, and for how many seconds. */
function longest(rows) {
  const sums = new Map();
  for (const { station, stoppedSeconds } of rows) sums.set(station, (sums.get(station) ?? 0) + stoppedSeconds);
  const [station, seconds] = [...sums].reduce((one, other) => (other[1] > one[1] ? other : one));
  return [rows.find((row) => row.station === station), seconds];
}
